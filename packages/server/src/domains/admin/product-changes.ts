import { validationProblem } from '../../engine/problem.ts'
import { deriveEulaId } from '../eulas/agreements.ts'
import type { DataProduct } from '../glossary/data-products.ts'
import { toParamsSchema } from '../glossary/params-schema.ts'
import { findRestrictionFaults, type ParamsSchema } from '../glossary/restrict-params.ts'
import { findTaskingProduct } from '../glossary/tasking-collections.ts'
import { toTaskingParamsSchema } from '../orders/tasking/tasking-products.ts'
import type { ParamRestrictions, ProductChanges } from '../rate-cards/product-terms.ts'

/** The terms that a version states; an absent one stays, null is that of the host. */
export interface ChangesInput {
  /** Null keeps it. */
  readonly is_available?: boolean | null
  readonly minimum_km2?: number | null
  readonly licences?: readonly string[] | null
  readonly eula_id?: string | null
  readonly params?: ParamRestrictions | null
}

interface Fault {
  readonly path: string
  readonly message: string
}

/** The changes of a version. Throws `validation` if there are none, or for a term that the product cannot have. */
export function readChanges(product: DataProduct, input: ChangesInput): ProductChanges {
  const { minimum_km2, licences, eula_id, params } = input
  const is_available = input.is_available ?? undefined
  const faults = [...findPriceFaults(product, input), ...findParamFaults(product, params ?? {})]
  const eula = eula_id && findEula(product, eula_id)
  if (eula_id && eula === undefined)
    faults.push({ path: 'eula_id', message: 'is not an agreement of the host of the data product' })
  const changes: ProductChanges = {
    ...(is_available === undefined ? {} : { is_available }),
    ...(minimum_km2 === undefined ? {} : { minimum_km2 }),
    ...(licences === undefined ? {} : { licences }),
    ...(eula_id === undefined ? {} : { eula: eula ?? null }),
    ...(params === undefined ? {} : { params }),
  }
  if (Object.keys(changes).length === 0) faults.push({ path: 'is_available', message: 'or another term is required' })
  if (faults.length > 0) throw validationProblem(faults)
  return changes
}

/** Errors of price terms for a free product: it charges for no area, and has the licence of its owner. */
function findPriceFaults({ price }: DataProduct, { minimum_km2, licences }: ChangesInput): Fault[] {
  if (price !== null) return []
  const message = 'cannot be set: the data product is free'
  return [
    ...(minimum_km2 ? [{ path: 'minimum_km2', message }] : []),
    ...(licences ? [{ path: 'licences', message }] : []),
  ]
}

const findEula = ({ host }: DataProduct, eula_id: string): string | undefined =>
  host.eulas?.find(({ name }) => deriveEulaId(host.name, name) === eula_id.toLowerCase())?.name

function findParamFaults(product: DataProduct, params: ParamRestrictions): Fault[] {
  const tasking = findTaskingProduct(product.host, product.collection)
  const schema = tasking ? toTaskingParamsSchema(tasking.sensors) : toParamsSchema({ ...product, params: {} })
  return findRestrictionFaults(schema as unknown as ParamsSchema, params).map(({ name, message }) => ({
    path: `params.${name}`,
    message,
  }))
}
