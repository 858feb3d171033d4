import { createContext } from 'preact';
import type { Owner } from './author-texts.ts';

export const OwnerContext = createContext<Owner>(undefined);
