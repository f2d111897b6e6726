import type { RequiredEula } from '@swath/contract/schemas/eula.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { ImageryHost } from '../../platform/integrations/imagery-host.ts'
import { isEulaAgreementAccepted, readEulaAcceptances } from './acceptance.ts'
import { findEulaAgreement } from './agreements.ts'

/** An ordered product: a collection of a host, null for a scene without one. */
export interface EulaProduct {
  readonly host: ImageryHost
  readonly collection: { readonly eula?: string | null } | null
}

/** The agreements that an order of the products needs now, each once. */
export async function listRequiredEulas(
  call: Pick<Call, 'db' | 'organization' | 'clock'>,
  products: readonly EulaProduct[],
): Promise<RequiredEula[]> {
  const now = call.clock.now()
  const found = products.flatMap(({ host, collection }) => findEulaAgreement(host, collection, now) ?? [])
  const agreements = [...new Map(found.map((agreement) => [agreement.id, agreement])).values()]
  const acceptances = await readEulaAcceptances(call, agreements)
  return agreements.flatMap((agreement) => {
    const { id, title, current } = agreement
    if (!current) return []
    const isAccepted = isEulaAgreementAccepted(agreement, acceptances)
    return [{ eulaId: id, documentId: current.id, title, version: current.version, isAccepted }]
  })
}

/** Throws `eula-not-accepted`, which names the agreements, unless all that the products need are accepted. */
export async function requireAcceptedEulas(
  call: Pick<Call, 'db' | 'organization' | 'clock'>,
  products: readonly EulaProduct[],
): Promise<void> {
  const missing = (await listRequiredEulas(call, products)).filter(({ isAccepted }) => !isAccepted)
  if (missing.length === 0) return
  const names = missing.map(
    ({ title, version, documentId }) => `"${title}", version ${version} (document ${documentId})`,
  )
  throw new Problem('eula-not-accepted', `Accept the licence agreement ${names.join(', and ')} before you order.`, {
    eulas: missing,
  })
}
