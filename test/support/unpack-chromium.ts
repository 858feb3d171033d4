import chromium from '@sparticuz/chromium';

// A program of its own, because the package unpacks into the system's temporary directory, wherever that is:
// whoever starts this names another one with TMPDIR. Prints where the browser's binary is.
process.stdout.write(await chromium.executablePath());
