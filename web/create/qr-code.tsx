import { type Bitmap2D, correction, generate } from 'lean-qr';
import { toSvgPath, toSvgSource } from 'lean-qr/extras/svg';
import { useMemo } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { DownloadIcon } from '../shell/icons.tsx';
import { save, toPng } from '../shell/save.ts';

/** The margin without which readers do not find a code, in modules. */
const QUIET_ZONE = 4;
/** Whole pixels for each module, so that an image stays sharp in print: 1,000 pixels and more. */
const PIXELS_EACH = 28;

/** The link as a code for a camera, to be shown and saved. Dark on light in every theme, or cameras miss it. */
export function QrCode({ text, fileName }: { text: string; fileName: string }) {
  const { t } = useI18n();
  const code = useMemo(() => generate(text, { minCorrectionLevel: correction.M }), [text]);
  const path = useMemo(() => toSvgPath(code), [code]);
  const side = code.size + 2 * QUIET_ZONE;

  return (
    <figure class="qr">
      <svg
        role="img"
        aria-label={t('qr.label')}
        viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`}
        shape-rendering="crispEdges"
      >
        <rect x={-QUIET_ZONE} y={-QUIET_ZONE} width={side} height={side} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <figcaption class="actions">
        <SaveButton kind="SVG" onSave={async () => save(`${fileName}.svg`, toSvgFile(code))} />
        <SaveButton kind="PNG" onSave={async () => save(`${fileName}.png`, await toPngFile(code))} />
      </figcaption>
    </figure>
  );
}

function SaveButton({ kind, onSave }: { kind: string; onSave(): Promise<void> }) {
  const { t } = useI18n();
  return (
    <button
      type="button"
      class="button button-quiet"
      aria-label={t('qr.save', { kind })}
      onClick={() => void onSave()}
    >
      <DownloadIcon />
      {kind}
    </button>
  );
}

function toSvgFile(code: Bitmap2D): Blob {
  const source = toSvgSource(code, { on: '#000', off: '#fff', pad: QUIET_ZONE, scale: PIXELS_EACH });
  return new Blob([source], { type: 'image/svg+xml' });
}

function toPngFile(code: Bitmap2D): Promise<Blob> {
  const small = document.createElement('canvas');
  code.toCanvas(small, { on: [0, 0, 0], off: [255, 255, 255], pad: QUIET_ZONE });
  const large = document.createElement('canvas');
  large.width = small.width * PIXELS_EACH;
  large.height = small.height * PIXELS_EACH;
  const context = large.getContext('2d');
  if (!context) throw new Error('This browser draws nothing');
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, large.width, large.height);
  return toPng(large);
}
