import chromium from '@sparticuz/chromium';

// A separate program, because the package unpacks into the system's temporary directory: the caller sets TMPDIR.
// Prints the path of the browser's binary.
process.stdout.write(await chromium.executablePath());
