import { type Html, html } from '../../src/http/pages/page.ts';

// Renders docs/api.md, which `npm run docs` writes from the OpenAPI document, as the page /docs. The document has
// headings, paragraphs and tables alone, with code, links and strong text in them. Swagger UI had 2.8 MB, was blank below a
// base path, and had 73 accessibility violations that no setting mends.

/** The parts of the page. */
export type Reference = { contents: Html; body: Html };

/** A heading of the second or the third level, with what follows it. */
type Section = { level: 2 | 3; title: string; id: string; blocks: string[] };

/** Renders the document without its title and the paragraph below it, which is about the file. */
export function renderReference(markdown: string): Reference {
  const [, , ...blocks] = markdown.trim().split(/\n{2,}/);
  const introduction: string[] = [];
  const sections: Section[] = [];
  for (const block of blocks) {
    const [, marks, title = ''] = /^(##|###) (.+)$/.exec(block) ?? [];
    if (marks === undefined) (sections.at(-1)?.blocks ?? introduction).push(block);
    else sections.push({ level: marks === '##' ? 2 : 3, title, id: toId(title), blocks: [] });
  }
  const ids = new Set(sections.map(({ id }) => id));
  if (ids.size < sections.length)
    throw new Error('Two headings of docs/api.md have the same anchor: rename one.');
  const toBlocks = (texts: readonly string[]) => texts.map((text) => renderBlock(text, ids));
  const bodies = sections.map(({ level, title, id, blocks }) => {
    const heading = html`<a href="#${id}">${renderTitle(title)}</a>`;
    return level === 2
      ? html`<h2 id="${id}">${heading}</h2>${toBlocks(blocks)}`
      : html`<h3 id="${id}">${heading}</h3>${toBlocks(blocks)}`;
  });
  return { contents: renderContents(sections), body: html`${toBlocks(introduction)}${bodies}` };
}

/** Returns the anchor of a heading, as it is in the document on GitHub. */
function toId(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(' ', '-');
}

function renderContents(sections: readonly Section[]): Html {
  const chapters: { chapter: Section; entries: Section[] }[] = [];
  for (const section of sections) {
    if (section.level === 2) chapters.push({ chapter: section, entries: [] });
    else chapters.at(-1)?.entries.push(section);
  }
  const toLink = ({ id, title }: Section) => html`<a href="#${id}">${renderTitle(title)}</a>`;
  const lists = chapters.map(
    ({ chapter, entries }) =>
      html`<details><summary>${chapter.title}</summary><ul><li>${toLink(chapter)}</li>${entries.map((entry) => html`<li>${toLink(entry)}</li>`)}</ul></details>`,
  );
  return html`${lists}`;
}

/** Renders the heading of an endpoint, `GET, HEAD /path`, or of another section. */
function renderTitle(title: string): Html {
  const [, methods, path] = /^([A-Z, ]+) (\/\S*)$/.exec(title) ?? [];
  return methods && path ? html`<b>${methods}</b> <code>${breakable(path)}</code>` : html`${title}`;
}

/** Lets a browser break the lines of a path before its slashes. */
const breakable = (path: string): Html[] => path.split(/(?=\/)/).map((part) => html`${part}<wbr>`);

function renderBlock(text: string, ids: ReadonlySet<string>): Html {
  if (!text.startsWith('|')) return html`<p>${renderInline(text, ids)}</p>`;
  const [headings = [], , ...rows] = text.split('\n').map((line) => line.slice(2, -2).split(' | '));
  if (rows.some(({ length }) => length !== headings.length))
    throw new Error(`A row of docs/api.md has another number of cells than its headings: ${text}`);
  const toCells = (cells: readonly string[]) =>
    cells.map(
      (cell, index) => html`<td data-name="${headings[index] ?? ''}">${renderInline(cell, ids)}</td>`,
    );
  return html`<table><thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead><tbody>${rows.map((cells) => html`<tr>${toCells(cells)}</tr>`)}</tbody></table>`;
}

/** Code; a link with its text, which may be code, and its target; or strong text. */
const INLINE = /`([^`]+)`|\[((?:`[^`]*`|[^[\]`])+)\]\(([^)]*)\)|\*\*([^*]+)\*\*/g;

/** Renders text. Of a link to another document, which the service does not serve, only the text. */
function renderInline(text: string, ids: ReadonlySet<string>): Html[] {
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: whole, 1: code, 2: label = '', 3: target, 4: strong, index } of text.matchAll(INLINE)) {
    parts.push(html`${text.slice(end, index)}`);
    end = index + whole.length;
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (strong !== undefined) parts.push(html`<strong>${strong}</strong>`);
    else if (target?.startsWith('#')) {
      if (!ids.has(target.slice(1))) throw new Error(`docs/api.md has no heading for ${target}`);
      parts.push(html`<a href="${target}">${renderInline(label, ids)}</a>`);
    } else parts.push(...renderInline(label, ids));
  }
  return [...parts, html`${text.slice(end)}`];
}
