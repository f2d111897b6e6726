import type { EulaProduct } from '../eulas/required-eulas.ts'
import { findCollectionForSale } from '../catalog/hosts.ts'
import type { ProductTermsByName } from '../rate-cards/product-terms.ts'
import type { CaptureQuote } from './quote.ts'

/** The products of the captures of a quote, for the agreements that they require. */
export const toEulaProducts = ({ captures }: CaptureQuote, products: ProductTermsByName): EulaProduct[] =>
  captures.map(({ host, scene }) => ({ host, collection: findCollectionForSale(host, scene, products) }))
