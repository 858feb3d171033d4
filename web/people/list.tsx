import type { ComponentChildren } from 'preact';
import { LoadProblem } from '../shell/load-problem.tsx';
import type { Failure } from '../shell/use-pages.ts';
import { usePeopleTexts } from './people-texts.ts';

type HeadProps = {
  title: string;
  /** True where the list is the whole page. */
  isPage: boolean;
  action: string;
  failure: Failure | undefined;
  onAction(): void;
  onRetry(): void;
  children?: ComponentChildren;
};

/** The heading of a list, with the button that adds to it, and the reason why it could not be loaded. */
export function ListHead({ title, isPage, action, failure, children, ...on }: HeadProps) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <>
      <div class="row spread head">
        <Heading>{title}</Heading>
        <button type="button" class="button button-main" onClick={on.onAction}>
          {action}
        </button>
      </div>
      {children}
      {failure && <LoadProblem failure={failure} onRetry={on.onRetry} />}
    </>
  );
}

/** A table with a last column for the menus of its rows. */
export function ListTable({ columns, children }: { columns: string[]; children: ComponentChildren }) {
  const peopleT = usePeopleTexts();
  return (
    <table class="card list-table">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
          <th scope="col" class="actions-cell">
            <span class="visually-hidden">{peopleT('people.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
