import type { EulaProduct } from '../eulas/required-eulas.ts'
import { findHostCollection } from '../catalog/hosts.ts'
import type { Quote } from './quote.ts'

/** What the captures of a quote are, for the agreements that they need. */
export const toEulaProducts = ({ captures }: Quote): EulaProduct[] =>
  captures.map(({ host, scene }) => ({ host, collection: findHostCollection(host, scene) }))
