import type { CallGround } from '../../../engine/open-call.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireBandwidth } from '../../usage/egress.ts'
import { readArchiveAddress, type ArchiveTerms } from './archive-address.ts'
import { archiveContent, checksumsName, manifestName, type ArchivedItem } from './archive-content.ts'
import { checksumsText, manifestText } from './archive-manifest.ts'
import { packZip, type PackedZip, type ZipEntry } from './pack-zip.ts'

type Ground = Pick<CallGround, 'database' | 'blobs' | 'clock' | 'quotas' | 'signer'>

export interface OpenedArchive extends PackedZip {
  readonly terms: ArchiveTerms
}

/**
 * Opens the archive at a signed URL for reading. Throws `forbidden` for an invalid signature, `gone-expired`,
 * `not-found` if everything in it is deleted or expired, or `bandwidth-breaker`.
 *
 * @param target path and query of the request, not decoded.
 */
export async function openArchive(ground: Ground, target: string): Promise<OpenedArchive> {
  const { database, clock, quotas, signer } = ground
  const verdict = readArchiveAddress(signer, target, clock.process.now())
  if (verdict.state === 'refused') throw new Problem('forbidden', 'The URL is not signed by this platform.')
  if (verdict.state === 'expired') {
    throw new Problem('gone-expired', 'The signed URL has expired. Request a new one.')
  }
  const { terms } = verdict
  const db = database.of(terms.organization)
  await requireBandwidth(db, { organization: terms.organization, quotas, clock: clock.of(terms.organization) })
  const content = await archiveContent(db, terms.organization, terms.subject, clock.of(terms.organization).now())
  if (content.every(({ files }) => files.length === 0)) {
    throw new Problem('not-found', 'Nothing is stored at this URL.')
  }
  return { terms, ...(await packZip(entriesOf(ground, terms, content))) }
}

/** Manifest and checksums come first, so that an aborted transfer still contains them. */
function entriesOf({ blobs }: Ground, { subject }: ArchiveTerms, content: readonly ArchivedItem[]): ZipEntry[] {
  const files = content.flatMap((entry) => entry.files)
  const newest = files.reduce(
    (latest, { asset }) => (asset.created_at > latest ? asset.created_at : latest),
    new Date(0),
  )
  return [
    textEntry(manifestName, manifestText(subject, content), newest),
    textEntry(checksumsName, checksumsText(content), newest),
    ...files.map(({ path, blob_path, size, asset }) => ({
      path,
      size,
      modified_at: asset.created_at,
      open: () => blobs.stream(blob_path),
    })),
  ]
}

function textEntry(path: string, text: string, modified_at: Date): ZipEntry {
  const bytes = new TextEncoder().encode(text)
  return { path, size: bytes.byteLength, modified_at, open: async () => new Blob([bytes]).stream() }
}
