import * as ICONS from '../../src/icons.ts';

/** An icon beside text with the same meaning: screen readers skip it. */
function Icon({ path, name = 'icon' }: { path: string; name?: string }) {
  return (
    <svg class={name} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}

export const BrandIcon = () => <Icon path={ICONS.BRAND} name="brand-icon" />;
export const LinkIcon = () => <Icon path={ICONS.LINK} />;
export const FileIcon = () => <Icon path={ICONS.FILE} />;
export const UploadIcon = () => <Icon path={ICONS.UPLOAD} />;
export const DownloadIcon = () => <Icon path={ICONS.DOWNLOAD} />;
export const CopyIcon = () => <Icon path={ICONS.COPY} />;
export const CheckIcon = () => <Icon path={ICONS.CHECK} />;
export const CrossIcon = () => <Icon path={ICONS.CROSS} />;
export const ShareIcon = () => <Icon path={ICONS.SHARE} />;
export const DiceIcon = () => <Icon path={ICONS.DICE} />;
export const LockIcon = () => <Icon path={ICONS.LOCK} />;
export const GlobeIcon = () => <Icon path={ICONS.GLOBE} />;
export const PauseIcon = () => <Icon path={ICONS.PAUSE} />;
export const PlayIcon = () => <Icon path={ICONS.PLAY} />;
export const TableIcon = () => <Icon path={ICONS.TABLE} />;
export const ChartIcon = () => <Icon path={ICONS.CHART} />;
