import { createHash } from 'node:crypto'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { emitEvent } from '../events/emit.ts'
import { isEulaDocumentReplaced, type EulaAgreement, type EulaAgreementDocument } from './agreements.ts'
import { insertEulaAcceptance, listLastEulaAcceptances, type EulaAcceptanceRow } from './store.ts'

/** The acceptances that apply, by document id. */
export type EulaAcceptancesByDocument = ReadonlyMap<string, EulaAcceptanceRow>

/** The acceptances of these agreements by the organization that it has not withdrawn. */
export async function readEulaAcceptances(
  { db, organization }: Pick<Call, 'db' | 'organization'>,
  agreements: readonly EulaAgreement[],
): Promise<EulaAcceptancesByDocument> {
  const ids = agreements.flatMap(({ documents }) => documents.map(({ id }) => id))
  const rows = ids.length === 0 ? [] : await listLastEulaAcceptances(db, organization, ids)
  return new Map(rows.filter(({ is_accepted }) => is_accepted).map((row) => [row.document_id, row]))
}

/** True if nothing stands against an order: the valid version is accepted, or none is valid yet. */
export const isEulaAgreementAccepted = ({ current }: EulaAgreement, acceptances: EulaAcceptancesByDocument): boolean =>
  current === null || acceptances.has(current.id)

interface Decision {
  readonly agreement: EulaAgreement
  readonly document: EulaAgreementDocument
  readonly is_accepted: boolean
}

const max_attempts = 5

/**
 * Accepts a version, or withdraws its acceptance; a decision that applies already is left as it is. Throws `invalid-state`
 * for the acceptance of a version that a newer one has replaced.
 */
export async function recordEulaAcceptanceDecision(call: Call, decision: Decision): Promise<void> {
  const { agreement, document, is_accepted } = decision
  if (is_accepted && isEulaDocumentReplaced(agreement, document))
    throw new Problem('invalid-state', `Version ${document.version} was replaced by ${agreement.current?.version}.`)
  for (let attempt = 0; attempt < max_attempts; attempt++) {
    if (await call.transaction((tx) => tryDecide(tx, call, decision))) return
  }
  throw new Problem('invalid-state', 'Others decide on the version at the same moment. Read it again.')
}

/** False if another call has decided meanwhile. */
async function tryDecide(tx: Tx, call: Call, { agreement, document, is_accepted }: Decision): Promise<boolean> {
  const [last] = await listLastEulaAcceptances(tx, call.organization, [document.id])
  if ((last?.is_accepted ?? false) === is_accepted) return true
  const { title } = agreement
  const { version } = document
  const isInserted = await insertEulaAcceptance(tx, {
    organization_id: call.organization,
    id: newId(),
    eula_id: agreement.id,
    document_id: document.id,
    revision: (last?.revision ?? 0) + 1,
    is_accepted,
    title,
    version,
    content_sha256: createHash('sha256').update(document.content).digest('hex'),
    actor_kind: call.principal.kind,
    actor_id: call.principal.id,
    created_at: call.clock.now(),
  })
  if (!isInserted) return false
  await emitEvent(tx, call, {
    kind: is_accepted ? 'eula.accepted' : 'eula.withdrawn',
    entity_type: 'eula',
    entity_id: agreement.id,
    data: { documentId: document.id, title, version },
  })
  return true
}
