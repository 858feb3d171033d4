// Checks the version of Node before anything in TypeScript is loaded, which an older one cannot read.
const OLDEST_NODE = 26;
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `Postern needs Node ${OLDEST_NODE} or newer, this is ${process.versions.node}. ` +
      'Start it with `npm start` after `npm ci`, which installs the right version.\n',
  );
  process.exit(1);
}
