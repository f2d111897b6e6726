import type { Eula, EulaAcceptance, EulaDocument } from '@swath/contract/schemas/eula.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { isEulaAgreementAccepted, type EulaAcceptancesByDocument } from './acceptance.ts'
import { listEulaAgreements, processesEula, type EulaAgreement, type EulaAgreementDocument } from './agreements.ts'
import type { EulaAcceptanceRow } from './store.ts'

/** The agreements of all hosts at the time of the organization. */
export const readEulaAgreements = ({ integrations, clock }: Pick<Call, 'integrations' | 'clock'>): EulaAgreement[] =>
  listEulaAgreements(integrations.hosts.values(), clock.now())

/** Throws `not-found`. */
export function requireEulaAgreement(call: Pick<Call, 'integrations' | 'clock'>, id: string): EulaAgreement {
  const agreement = [...readEulaAgreements(call), processesEula].find((one) => one.id === id.toLowerCase())
  if (!agreement) throw new Problem('not-found', `No licence agreement has the id "${id}".`)
  return agreement
}

/** Throws `not-found`. */
export function requireEulaDocument({ documents }: EulaAgreement, id: string): EulaAgreementDocument {
  const document = documents.find((one) => one.id === id.toLowerCase())
  if (!document) throw new Problem('not-found', `The licence agreement has no document with the id "${id}".`)
  return document
}

export function toEula(agreement: EulaAgreement, acceptances: EulaAcceptancesByDocument): Eula {
  const { id, name, title, host, documents, current } = agreement
  const firstValidFrom = documents.at(-1)?.valid_from ?? new Date(0)
  return {
    id,
    name,
    title,
    providers: [host],
    currentDocumentId: current?.id ?? null,
    isAccepted: isEulaAgreementAccepted(agreement, acceptances),
    createdAt: firstValidFrom.toISOString(),
    updatedAt: (current?.valid_from ?? firstValidFrom).toISOString(),
  }
}

export function toEulaDocument(
  agreement: EulaAgreement,
  document: EulaAgreementDocument,
  acceptances: EulaAcceptancesByDocument,
): EulaDocument {
  const acceptance = acceptances.get(document.id)
  return {
    id: document.id,
    eulaId: agreement.id,
    version: document.version,
    language: document.language,
    content: document.content,
    mediaType: document.media_type,
    validFrom: document.valid_from.toISOString(),
    isAccepted: acceptance !== undefined,
    acceptedAt: acceptance?.created_at.toISOString() ?? null,
    acceptedBy: acceptance?.actor_id ?? null,
  }
}

export const toEulaAcceptance = (row: EulaAcceptanceRow): EulaAcceptance => ({
  id: row.id,
  eulaId: row.eula_id,
  documentId: row.document_id,
  title: row.title,
  version: row.version,
  contentSha256: row.content_sha256,
  isAccepted: row.is_accepted,
  actorKind: row.actor_kind,
  actorId: row.actor_id,
  createdAt: row.created_at.toISOString(),
})
