import { refreshSandboxClock } from '../../../../platform/sandbox/sandbox-times.ts'
import type { CallDependencies } from '../../../../engine/call-context.ts'
import { Problem } from '../../../../engine/problem.ts'
import { requireEgressWithinQuota } from '../../../usage/egress.ts'
import { type ArchiveUrlSubject, type ArchiveUrlParameters, verifyArchiveUrl } from './archive-url.ts'
import { type ZipArchiveItem, checksumsFileName, listArchiveContent, manifestFileName } from './archive-content.ts'
import { type StreamedZipArchive, type ZipSourceEntry, streamZipArchive } from './pack-zip.ts'
import type { AssetRow } from '../store.assets.ts'

const describeAsset = (asset: AssetRow) => ({
  asset_id: asset.id,
  key: asset.key,
  media_type: asset.media_type,
  roles: asset.roles,
  size_bytes: asset.file_size_bytes,
  sha256: asset.checksum_sha256,
})

/** The manifest of the archive as JSON text; files hosted elsewhere are listed with their URL. */
function formatManifest(subject: ArchiveUrlSubject, content: readonly ZipArchiveItem[]): string {
  const items = content.map(({ item, files, left_out }) => ({
    item_id: item.id,
    stac_id: item.stac_id,
    name: item.name,
    datetime: (item.datetime ?? item.start_datetime)?.toISOString() ?? null,
    order_id: item.order_id,
    files: files.map(({ path, asset }) => ({ path, ...describeAsset(asset) })),
    left_out: left_out.map((asset) => ({ ...describeAsset(asset), ready: asset.ready, href: asset.external_href })),
  }))
  return `${JSON.stringify({ type: subject.type, id: subject.id, items }, null, 2)}\n`
}

/** Checksums in the format of `sha256sum -c`; files without a checksum are omitted. */
const formatChecksums = (content: readonly ZipArchiveItem[]): string =>
  content
    .flatMap(({ files }) => files)
    .flatMap(({ path, asset }) => (asset.checksum_sha256 === null ? [] : [`${asset.checksum_sha256}  ${path}\n`]))
    .join('')

type ArchiveDependencies = Pick<CallDependencies, 'database' | 'blobs' | 'clock' | 'quotas' | 'signer'>

export interface OpenedArchive extends StreamedZipArchive {
  readonly parameters: ArchiveUrlParameters
}

/**
 * Opens the archive at a signed URL for reading. Throws `forbidden` for an invalid signature, `gone-expired`,
 * `not-found` if everything in it is deleted or expired, or `bandwidth-breaker`.
 *
 * @param target path and query of the request, not decoded.
 */
export async function openZipArchiveStream(dependencies: ArchiveDependencies, target: string): Promise<OpenedArchive> {
  const { database, clock, quotas, signer } = dependencies
  const verification = verifyArchiveUrl(signer, target, clock.process.now())
  if (verification.state === 'refused') throw new Problem('forbidden', 'The URL is not signed by this platform.')
  if (verification.state === 'expired') {
    throw new Problem('gone-expired', 'The signed URL has expired. Request a new one.')
  }
  const { parameters } = verification
  await refreshSandboxClock({ database, clock }, parameters.organization)
  const db = database.forOrganization(parameters.organization)
  await requireEgressWithinQuota(db, {
    organization: parameters.organization,
    quotas,
    clock: clock.forOrganization(parameters.organization),
  })
  const content = await listArchiveContent(
    db,
    parameters.organization,
    parameters.subject,
    clock.forOrganization(parameters.organization).now(),
  )
  if (content.every(({ files }) => files.length === 0)) {
    throw new Problem('not-found', 'Nothing is stored at this URL.')
  }
  return { parameters, ...(await streamZipArchive(createZipEntries(dependencies, parameters, content))) }
}

/** Manifest and checksums come first, so that an aborted transfer still contains them. */
function createZipEntries(
  { blobs }: ArchiveDependencies,
  { subject }: ArchiveUrlParameters,
  content: readonly ZipArchiveItem[],
): ZipSourceEntry[] {
  const files = content.flatMap((entry) => entry.files)
  const newestTime = files.reduce(
    (latest, { asset }) => (asset.created_at > latest ? asset.created_at : latest),
    new Date(0),
  )
  return [
    textEntry(manifestFileName, formatManifest(subject, content), newestTime),
    textEntry(checksumsFileName, formatChecksums(content), newestTime),
    ...files.map(({ path, blob_path, size, asset }) => ({
      path,
      size,
      modified_at: asset.created_at,
      open: () => blobs.stream(blob_path),
    })),
  ]
}

function textEntry(path: string, text: string, modified_at: Date): ZipSourceEntry {
  const bytes = new TextEncoder().encode(text)
  return { path, size: bytes.byteLength, modified_at, open: async () => new Blob([bytes]).stream() }
}
