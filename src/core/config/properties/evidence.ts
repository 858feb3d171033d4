import { hashHex } from '../../model/ed25519.ts';
import { accept } from '../../model/parsed.ts';
import { parseWitness, type Witness } from '../../model/signed-note.ts';
import { type Parser, parseNewFile, refuse } from '../parsers.ts';
import { unset } from '../property.ts';

/** Parses witnesses, each with its key and its address. */
const parseWitnesses: Parser<Witness[]> = (text) => {
  const witnesses = text.split(',').map((each) => parseWitness(hashHex, each));
  const known = witnesses.filter((witness) => witness !== undefined);
  if (known.length < witnesses.length)
    return refuse(
      'must be keys of witnesses with their addresses, such as witness.example+1a2b3c4d+BKey… https://witness.example, with commas between',
    );
  // Signatures and errors are listed by the name.
  return new Set(known.map(({ key }) => key.name)).size === known.length
    ? accept(known)
    : refuse('must have each name of a witness once');
};

/** The key of the log, and those who vouch for its checkpoints. */
export const EVIDENCE_PROPERTIES = {
  evidence: {
    keyFile: unset({
      name: 'app.evidence.key-file',
      shown: '(beside an SQLite database)',
      parse: parseNewFile,
      meaning:
        'path of the file with the key that signs checkpoints, which is created; on PostgreSQL, none is signed without it',
    }),
    witnesses: unset(
      {
        name: 'app.evidence.witnesses',
        parse: parseWitnesses,
        meaning:
          'services of others that sign checkpoints, with commas between: the key of each (https://c2sp.org/tlog-cosignature), a space, its address',
      },
      [],
    ),
  },
};
