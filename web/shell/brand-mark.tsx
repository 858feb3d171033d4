import { BRAND } from '../../src/icons.ts';
import { brandLogo, brandName } from '../service/brand.ts';
import { serviceUrl } from '../service/requests.ts';
import { Icon } from './icon.tsx';

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
