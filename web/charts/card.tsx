import type { ComponentChildren } from 'preact';

type Props = {
  id: string;
  title: string;
  subtitle?: string;
  isWide?: boolean;
  actions?: ComponentChildren;
  /** A text that takes the place of the contents and the actions, if there is nothing to show. */
  emptyText?: string | false;
  footer?: ComponentChildren;
  children: ComponentChildren;
};

/** A sample of a chart colour. Preact sets the style by script: the policy forbids it in markup. */
export function Swatch({ colour }: { colour: string }) {
  return <span class="swatch" aria-hidden="true" style={{ '--swatch': `var(${colour})` }} />;
}

/** A titled section. */
export function Card({ id, title, subtitle, isWide = false, actions, emptyText, footer, children }: Props) {
  return (
    <section
      class={`card card-content board-card ${isWide ? 'board-wide' : ''}`}
      aria-labelledby={`${id}-title`}
    >
      <div class="row spread board-card-head">
        <div>
          <h3 id={`${id}-title`}>{title}</h3>
          {subtitle && <p class="soft small">{subtitle}</p>}
        </div>
        {actions && !emptyText && <div class="actions">{actions}</div>}
      </div>
      {emptyText ? <p class="card-empty soft">{emptyText}</p> : children}
      {footer}
    </section>
  );
}
