import type { EulaProduct } from '../eulas/required-eulas.ts'
import { findSoldCollection } from '../catalog/hosts.ts'
import type { ProductTermsByName } from '../rate-cards/product-terms.ts'
import type { Quote } from './quote.ts'

/** The products of the captures of a quote, for the agreements that they require. */
export const toEulaProducts = ({ captures }: Quote, products: ProductTermsByName): EulaProduct[] =>
  captures.map(({ host, scene }) => ({ host, collection: findSoldCollection(host, scene, products) }))
