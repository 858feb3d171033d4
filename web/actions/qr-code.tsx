import { type Bitmap2D, correction, generate } from 'lean-qr';
import { toSvgPath, toSvgSource } from 'lean-qr/extras/svg';
import { useMemo } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { SaveButton, toPng } from '../shell/save-button.tsx';

/** The margin in modules that scanners need. */
const QUIET_ZONE = 4;
/** Whole pixels per module, so that an image of 1,000 pixels and more stays sharp in print. */
const PIXELS_PER_MODULE = 28;

/** A QR code to scan and to save. It is dark on light in every theme, as scanners expect. */
export function QrCode({ text, fileName }: { text: string; fileName: string }) {
  const { t } = useI18n();
  const code = useMemo(() => generate(text, { minCorrectionLevel: correction.M }), [text]);
  const path = useMemo(() => toSvgPath(code), [code]);
  const side = code.size + 2 * QUIET_ZONE;
  const files = [
    { kind: 'SVG', createFile: () => toSvg(code) },
    { kind: 'PNG', createFile: () => toLargePng(code) },
  ] as const;
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
        {files.map((file) => (
          <SaveButton
            key={file.kind}
            {...file}
            label={t('qr.save', { kind: file.kind })}
            fileName={fileName}
          />
        ))}
      </figcaption>
    </figure>
  );
}

function toSvg(code: Bitmap2D): Blob {
  const source = toSvgSource(code, { on: '#000', off: '#fff', pad: QUIET_ZONE, scale: PIXELS_PER_MODULE });
  return new Blob([source], { type: 'image/svg+xml' });
}

function toLargePng(code: Bitmap2D): Promise<Blob> {
  const small = document.createElement('canvas');
  code.toCanvas(small, { on: [0, 0, 0], off: [255, 255, 255], pad: QUIET_ZONE });
  const large = document.createElement('canvas');
  large.width = small.width * PIXELS_PER_MODULE;
  large.height = small.height * PIXELS_PER_MODULE;
  const context = large.getContext('2d');
  if (!context) throw new Error('This browser has no 2D canvas');
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, large.width, large.height);
  return toPng(large);
}
