import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { deriveEulaId } from '../eulas/agreements.ts'
import { type DataProduct, listDataProducts, withProductTerms } from '../glossary/data-products.ts'
import { readHostOffers } from '../glossary/read-host-offers.ts'
import {
  type ParamRestrictions,
  type ProductChanges,
  foldProductVersions,
  requiresSecondOperatorApproval,
} from '../rate-cards/product-terms.ts'
import {
  type ProductVersionRow,
  findProductVersion,
  insertProductVersion,
  listEffectiveProductVersions,
  listNextEffectiveDates,
  markProductVersionDecided,
} from '../rate-cards/store.product-versions.ts'
import {
  type CommercialTermsVersionKind,
  parseEffectiveDate,
  readProcessClockTime,
  decideCommercialTermsVersion,
  toCommercialTermsVersionFields,
} from './effective-versions.ts'
import { toOrderParamsSchema } from '../glossary/params-schema.ts'
import { type OrderParamsSchema, findParamRestrictionErrors } from '../glossary/restrict-params.ts'
import { findTaskingProduct } from '../glossary/tasking-collections.ts'
import { toTaskingParamsSchema } from '../orders/tasking/tasking-products.ts'

/** The terms that a version states; an absent one stays, null is that of the host. */
interface ChangesInput {
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
function readChanges(product: DataProduct, input: ChangesInput): ProductChanges {
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
  const schema = tasking ? toTaskingParamsSchema(tasking.sensors) : toOrderParamsSchema({ ...product, params: {} })
  return findParamRestrictionErrors(schema as unknown as OrderParamsSchema, params).map(({ name, message }) => ({
    path: `params.${name}`,
    message,
  }))
}

const productVersionKind: CommercialTermsVersionKind<ProductVersionRow> = {
  label: 'product version',
  find: findProductVersion,
  decide: markProductVersionDecided,
}

export interface ProductVersionRequest extends ChangesInput {
  readonly data_product_name: string
  readonly effective_from: string
  readonly reason: string
}

/**
 * Writes a version of a data product: a request, if another operator has to approve its changes, and else an approved one. Throws
 * `not-found` for an unknown product, and `validation` for a term that the product cannot have.
 */
export async function requestProductVersion(call: Call, request: ProductVersionRequest): Promise<ProductVersionRow> {
  const { data_product_name, reason } = request
  const product = listDataProducts(await readHostOffers(call)).find(({ name }) => name === data_product_name)
  if (!product) throw new Problem('not-found', `There is no data product with the name "${data_product_name}".`)
  const changes = readChanges(product, request)
  const effective_from = parseEffectiveDate(call, request.effective_from)
  const [operator, now] = [call.principal.id, readProcessClockTime(call)]
  const needs_approval = requiresSecondOperatorApproval(changes)
  const decision = needs_approval
    ? { status: 'pending' as const, decided_by: null, decided_at: null, decision_reason: null }
    : { status: 'approved' as const, decided_by: operator, decided_at: now, decision_reason: reason }
  const row = { id: newId(), product: product.name, changes, needs_approval, effective_from, reason, ...decision }
  return call.unscoped.transaction((tx) =>
    insertProductVersion(tx, { ...row, requested_by: operator, requested_at: now }),
  )
}

/** Approves or rejects a version, which is returned; throws what `decideCommercialTermsVersion` throws. */
export async function decideProductVersion(
  call: Call,
  { version_id: id, reason }: { readonly version_id: string; readonly reason: string },
  status: 'approved' | 'rejected',
) {
  const [version] = await toProductVersions(call, [
    await decideCommercialTermsVersion(call, productVersionKind, { id, reason, status }),
  ])
  return version!
}

/** The representations of versions, which state whether each is in force now. */
export async function toProductVersions(
  call: Pick<Call, 'clocks' | 'unscoped'>,
  rows: readonly ProductVersionRow[],
): Promise<ReturnType<typeof toProductVersion>[]> {
  const terms = foldProductVersions(await listEffectiveProductVersions(call.unscoped, readProcessClockTime(call)))
  return rows.map((row) => toProductVersion(row, terms.get(row.product)?.version ?? null))
}

const toProductVersion = ({ changes, product, ...row }: ProductVersionRow, version_in_force: number | null) => ({
  ...row,
  ...toCommercialTermsVersionFields({ product, ...row }),
  data_product_name: product,
  changes: toChanges(product, changes),
  in_force: row.status === 'approved' && row.version === version_in_force,
})

/** Agreements are named by their id outside. */
function toChanges(product: string, { eula, licences, params, ...changes }: ProductChanges) {
  const [host] = product.split(':')
  return {
    ...changes,
    ...(licences === undefined ? {} : { licences: licences && [...licences] }),
    ...(params === undefined ? {} : { params: params && toParams(params) }),
    ...(eula === undefined ? {} : { eula_id: eula === null ? null : deriveEulaId(host!, eula) }),
  }
}

const toParams = (params: NonNullable<ProductChanges['params']>) =>
  Object.fromEntries(
    Object.entries(params).map(([name, { enum: values, ...bounds }]) => [
      name,
      { ...bounds, ...(values ? { enum: [...values] } : {}) },
    ]),
  )

/** Every data product with the terms in force and those that its host declares. */
export async function listProductsForOperators(call: Call) {
  const now = readProcessClockTime(call)
  const terms = foldProductVersions(await listEffectiveProductVersions(call.unscoped, now))
  const next = new Map(
    (await listNextEffectiveDates(call.unscoped, now)).map(({ product, effective_from }) => [product, effective_from]),
  )
  return listDataProducts(await readHostOffers(call)).map((product) => {
    const inForce = terms.get(product.name)
    return {
      id: product.id,
      name: product.name,
      title: product.title,
      host_name: product.host.name,
      collection: product.collection.id,
      price_product: product.price?.product ?? null,
      version: inForce?.version ?? null,
      terms: toTerms(withProductTerms(product, inForce), inForce?.is_available ?? true),
      declared: toTerms(product, true),
      next_effective_from: next.get(product.name)?.toISOString() ?? null,
    }
  })
}

const toTerms = ({ price, licences, eula_id, params }: DataProduct, is_available: boolean) => ({
  is_available,
  minimum_km2: price?.minimum_km2 ?? null,
  licences: [...licences],
  eula_id,
  params: toParams(params),
})
