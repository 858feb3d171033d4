/** Returns false while the keyboard moves through the kinds of targets: the choice must keep the focus then. */
export const mayTakeFocus = (): boolean => document.querySelector('[name=kind]:focus-visible') === null;
