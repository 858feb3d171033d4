import { BRAND } from '../../src/common/icons.ts';
import { brandLogo, brandName } from '../service/brand.ts';
import { serviceUrl } from '../service/requests.ts';

/** An icon next to text with the same meaning, so screen readers skip it. `path` is one of `src/common/icons.ts`. */
export function Icon({ path, name = 'icon' }: { path: string; name?: string }) {
  return (
    <svg class={name} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}

/** The logo of the brand, or the icon of the product, with the name of the service. */
export function BrandMark() {
  const logo = brandLogo();
  return (
    <>
      {logo ? (
        <img class="logo" src={serviceUrl(logo).href} alt="" />
      ) : (
        <Icon path={BRAND} name="brand-icon" />
      )}
      {brandName()}
    </>
  );
}
