import type { HostPrice } from '../../platform/integrations/imagery-host.ts'

/** Narrows one parameter of orders of a product. */
export interface OrderParamRestriction {
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly string[]
  readonly required?: boolean
}

/** Restrictions by the name of the parameter. */
export type ParamRestrictions = Readonly<Record<string, OrderParamRestriction>>

/** The terms that operators have set for a data product; for null, those that its host declares apply. */
export interface DataProductTerms {
  /** The version in force, which counts the versions of the product from 1. */
  readonly version: number
  readonly is_available: boolean
  /** Least area that is charged, km². */
  readonly minimum_km2: number | null
  /** The standard one is first. */
  readonly licences: readonly string[] | null
  /** The name of an agreement of the host. */
  readonly eula: string | null
  readonly params: ParamRestrictions | null
}

/** The terms that one version changes; an absent term stays as it is. */
export type ProductChanges = Partial<Omit<DataProductTerms, 'version'>>

/** Terms by the name of the data product; products without a version have the terms of their host. */
export type ProductTermsByName = ReadonlyMap<string, DataProductTerms>

const declaredTerms = { is_available: true, minimum_km2: null, licences: null, eula: null, params: null }

/** The terms of each product after its versions, which come in the order in which they take effect. */
export function foldProductVersions(
  versions: readonly { readonly product: string; readonly version: number; readonly changes: ProductChanges }[],
): ProductTermsByName {
  const terms = new Map<string, DataProductTerms>()
  for (const { product, version, changes } of versions)
    terms.set(product, { ...declaredTerms, ...terms.get(product), ...changes, version })
  return terms
}

/** The name of the data product of a collection of a host. */
export const formatDataProductName = (host: string, collection: string): string => `${host}:${collection}`

/** Terms whose change affects the price for customers, or the use that they may make of their purchases. */
const decidedTerms = ['minimum_km2', 'licences', 'eula'] as const

/** True if a second operator has to approve the changes. */
export const requiresSecondOperatorApproval = (changes: ProductChanges): boolean =>
  decidedTerms.some((name) => changes[name] !== undefined)

interface Sold {
  readonly price: HostPrice | null
  readonly eula?: string | null
}

/** A collection or a product for tasking with the terms in force, which its price names; as declared without any. */
export function applyProductTerms<T extends Sold>(declared: T, terms: DataProductTerms | undefined): T {
  if (!terms) return declared
  const { price } = declared
  return {
    ...declared,
    eula: terms.eula ?? declared.eula ?? null,
    price: price && {
      ...price,
      minimum_km2: terms.minimum_km2 ?? price.minimum_km2,
      licences: terms.licences ?? price.licences,
      product_version: terms.version,
    },
  }
}

/** False if an operator has withdrawn the product. */
export const isProductOffered = (products: ProductTermsByName, name: string): boolean =>
  products.get(name)?.is_available ?? true
