import type { EulaProduct } from '../eulas/required-eulas.ts'
import { findSoldCollection } from '../catalog/hosts.ts'
import type { ProductTermsByName } from '../rate-cards/product-terms.ts'
import type { Quote } from './quote.ts'

/** What the captures of a quote are, for the agreements that they need. */
export const toEulaProducts = ({ captures }: Quote, products: ProductTermsByName): EulaProduct[] =>
  captures.map(({ host, scene }) => ({ host, collection: findSoldCollection(host, scene, products) }))
