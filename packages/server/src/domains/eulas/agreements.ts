import { deriveId } from '../../platform/ids.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { HostEula, HostEulaDocument, ImageryHost } from '../../platform/integrations/imagery-host.ts'

/** A version of an agreement. */
export interface EulaAgreementDocument extends HostEulaDocument {
  /** Derived from the text too, so that a text that was changed has to be accepted again. */
  readonly id: string
}

/** The licence agreement of a host, with the documents that are valid at one time. */
export interface EulaAgreement {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly host: string
  /** The newest is first. */
  readonly documents: readonly EulaAgreementDocument[]
  /** The version that is valid; null if the first one is not yet. */
  readonly current: EulaAgreementDocument | null
}

type EulaHost = Pick<ImageryHost, 'name' | 'eulas' | 'eula'>

export const deriveEulaId = (host: string, name: string): string => deriveId(JSON.stringify(['eula', host, name]))

/** The agreement of the processes of the platform: clients require one, and it has no document that would have to be accepted. */
export const processesEula: EulaAgreement = {
  id: deriveEulaId('platform', 'processes'),
  name: 'processes',
  title: 'Processes of the platform',
  host: 'platform',
  documents: [],
  current: null,
}

/** The agreements of the hosts at a time of an organization. */
export const listEulaAgreements = (hosts: Iterable<EulaHost>, now: OrganizationTime): EulaAgreement[] =>
  [...hosts].flatMap((host) => (host.eulas ?? []).map((eula) => toAgreement(host, eula, now)))

/** The agreement of a collection of a host, or of a scene without a collection; null if it needs none. */
export function findEulaAgreement(
  host: EulaHost,
  collection: { readonly eula?: string | null } | null,
  now: OrganizationTime,
): EulaAgreement | null {
  const name = findEulaName(host, collection)
  const eula = host.eulas?.find((one) => one.name === name)
  return eula ? toAgreement(host, eula, now) : null
}

/** The id of the agreement of a collection; null if it needs none. */
export function findEulaId(host: EulaHost, collection: { readonly eula?: string | null }): string | null {
  const name = findEulaName(host, collection)
  return name === null ? null : deriveEulaId(host.name, name)
}

const findEulaName = (host: EulaHost, collection: { readonly eula?: string | null } | null): string | null =>
  collection?.eula ?? host.eula ?? null

function toAgreement(host: EulaHost, { name, title, documents }: HostEula, now: OrganizationTime): EulaAgreement {
  const newestFirst = documents
    .map((document): EulaAgreementDocument => ({
      ...document,
      id: deriveId(
        JSON.stringify(['eula-document', host.name, name, document.version, document.media_type, document.content]),
      ),
    }))
    .toSorted((left, right) => right.valid_from.getTime() - left.valid_from.getTime())
  return {
    id: deriveEulaId(host.name, name),
    name,
    title,
    host: host.name,
    documents: newestFirst,
    current: newestFirst.find(({ valid_from }) => valid_from <= now) ?? null,
  }
}

/** True for a version that a newer one has replaced. */
export const isEulaDocumentReplaced = ({ current }: EulaAgreement, { valid_from }: EulaAgreementDocument): boolean =>
  current !== null && valid_from < current.valid_from
