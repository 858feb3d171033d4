// Checks the version of Node before anything in TypeScript is loaded, which an older one cannot read.
const OLDEST_NODE = 26;
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `Postern needs Node ${OLDEST_NODE} or newer, this is ${process.versions.node}. ` +
      'Run `npm ci` in the project: it installs the right version, which `npm start` and bin/postern use.\n',
  );
  process.exit(1);
}
