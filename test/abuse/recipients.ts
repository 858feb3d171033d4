import { type Figure, figure } from '../drive/report.ts';
import { send, sendJson, type TestResponse, until } from '../support/http-client.ts';
import { shortCodeOf, TARGET } from '../support/links.ts';
import { logLines } from '../support/process.ts';
import { mailFlags, readMailedCode, startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts';
import { type Row, type Scene, scaled, startVictim, timed, type Victim } from './victim.ts';

// Attacks on the codes that are mailed to recipients of links.

const ANN = 'ann@example.com';

type Attacked = { victim: Victim; smtp: TestSmtpServer; shortCode: string };

/** Starts a service that mails codes, and creates a link that names one recipient. */
async function startAttacked(scene: Scene, flags: string[] = []): Promise<Attacked> {
  const smtp = await startSmtpServer(scene.cleanup);
  const victim = await startVictim(scene, [...mailFlags(smtp), ...flags]);
  return { victim, smtp, shortCode: await createNamed(victim) };
}

const createNamed = async (victim: Victim): Promise<string> =>
  shortCodeOf(await sendJson(victim, '/api/links', { targetUrl: TARGET, verifiedRecipients: [ANN] }));

function post(
  victim: Victim,
  shortCode: string,
  form: Record<string, string>,
  { cookie, client }: { cookie?: string; client: number },
): Promise<TestResponse> {
  const headers = {
    ...{
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `203.0.113.${client % 250}`,
    },
    ...(cookie !== undefined && { cookie }),
  };
  return send(victim, `/l/${shortCode}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form).toString(),
  });
}

const cookieOf = (response: TestResponse): string =>
  String(response.headers['set-cookie']).split(';')[0] ?? '';

export const recipientGuesses: Row = {
  name: 'recipient-guesses',
  attack: 'many clients ask for codes of one recipient and send 200 guesses for each, at once',
  mustBe: 'ten codes a day, of which each takes five guesses; after them also the right code is refused',
  async run(scene) {
    const { victim, smtp, shortCode } = await startAttacked(scene);
    let [codes, opened] = [0, 0];
    for (let client = 0; client < scaled(30, scene); client++) {
      const asked = await post(victim, shortCode, { recipientAddress: ANN }, { client });
      if (asked.status !== 401) continue;
      codes += 1;
      const right = await readMailedCode(smtp, codes);
      const cookie = cookieOf(asked);
      const guess = (recipientCode: string) =>
        post(victim, shortCode, { recipientAddress: ANN, recipientCode }, { client, cookie });
      const wrong = Array.from({ length: 200 }, (_, index) =>
        String((Number(right) + 1 + index) % 1_000_000),
      );
      await Promise.all(wrong.map((text) => guess(text.padStart(6, '0'))));
      if ((await guess(right)).status !== 401) opened += 1;
    }
    return [
      figure.count('codes', codes, Math.min(10, scaled(30, scene))),
      figure.count('openings after the guesses', opened, 0),
    ];
  },
};

export const recipientFlood: Row = {
  name: 'recipient-flood',
  attack:
    '20 links name a stranger; at each, ten clients ask for a code for the stranger, and ten for addresses that it does not name',
  mustBe: 'exactly 30 mails to the stranger, none to others, and the same response to all',
  async run(scene) {
    const { victim, smtp } = await startAttacked(scene);
    const links = await Promise.all(Array.from({ length: scaled(20, scene) }, () => createNamed(victim)));
    const responses: TestResponse[] = [];
    for (const [index, shortCode] of links.entries())
      responses.push(
        ...(await Promise.all(
          Array.from({ length: 20 }, (_, client) =>
            post(
              victim,
              shortCode,
              { recipientAddress: client % 2 === 0 ? ANN : `user${client}@example.net` },
              { client: 20 * index + client },
            ),
          ),
        )),
      );
    const ofStranger = () => smtp.mails.filter(({ to }) => to[0] === ANN).length;
    const withheld = () =>
      logLines(victim.output.stdout).filter(({ msg }) => msg === 'recipient_code_failed').length;
    const asked = 10 * links.length;
    await until(() => ofStranger() + withheld() === asked); // mails follow the responses
    return [
      figure.count('mails to the stranger', ofStranger(), Math.min(30, asked)),
      figure.count('mails to others', smtp.mails.length - ofStranger(), 0),
      figure.count('other responses', responses.filter(({ status }) => status !== 401).length, 0),
    ];
  },
};

export const recipientTiming: Row = {
  name: 'recipient-timing',
  attack:
    'a client compares the responses for an address that a link names with those for others, 200 times each',
  mustBe: 'medians within 20 % of each other',
  async run(scene) {
    const { victim, shortCode } = await startAttacked(scene, ['--app.limits.recipient-codes=none']);
    const times: Record<'named' | 'other', number[]> = { named: [], other: [] };
    for (let index = 0; index < scaled(200, scene); index++)
      for (const kind of index % 2 === 0 ? (['named', 'other'] as const) : (['other', 'named'] as const)) {
        const recipientAddress = kind === 'named' ? ANN : 'eve@example.com';
        times[kind].push(
          (await timed(() => post(victim, shortCode, { recipientAddress }, { client: index }))).ms,
        );
        await new Promise((resolve) => setTimeout(resolve, 20)); // the mail of the request before
      }
    const [named, other] = [medianOf(times.named), medianOf(times.other)];
    const figures: Figure[] = [
      figure.ms('median for a named address', named, 1.2 * other),
      figure.ms('median for another address', other, 1.2 * named),
    ];
    return figures;
  },
};

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
