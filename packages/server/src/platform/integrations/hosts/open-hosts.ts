import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Logger } from '../../log.ts'
import { bucketUrlSetting } from '../../setting-types.ts'
import type { HostCollection, ImageryHost } from '../imagery-host.ts'
import { createSafeFetch } from '../safe-fetch.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import { createArchiveHost, type HostMetadata, type RenderQuicklook } from './archive/archive-host.ts'
import { createArchiveIndex } from './archive/archive-index.ts'
import { openFolderSource, type ArchiveHostStorage } from './archive/archive-source.ts'
import { openBucketArchiveStorage } from './archive/bucket-source.ts'
import { toHostEula } from './eula-entry.ts'
import {
  HostsFileError,
  readHostsConfigFile,
  type ArchiveHostConfigEntry,
  type HostConfigEntry,
  type StacHostConfigEntry,
} from './hosts-file.ts'
import { knownStacHosts } from './known-hosts.ts'
import { createStacHost, type StacHostDefinition } from './stac/stac-host.ts'
import { toStapiRow } from './stapi-entry.ts'
import { createStapiHost } from './stapi/stapi-host.ts'

export interface OpenHostsDependencies {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly renderQuicklook: RenderQuicklook
  readonly tracing?: Tracing
}

/** The hosts that the settings name, without waiting for any of them. Throws `HostsFileError`. */
export async function openConfiguredHosts(dependencies: OpenHostsDependencies): Promise<readonly ImageryHost[]> {
  const { config } = dependencies
  const known = config.catalog_hosts.map((name) => openStacHost(knownStacHosts[name], dependencies))
  const entries = config.catalog_hosts_file === null ? [] : await readHostsConfigFile(config.catalog_hosts_file)
  const own: ImageryHost[] = []
  for (const entry of entries) own.push(await openEntry(entry, dependencies))
  return [...known, ...own]
}

/** Throws if two hosts share a name, since orders refer to hosts by it. */
export function requireUniqueNames(hosts: readonly ImageryHost[]): void {
  const names = hosts.map(({ name }) => name)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw new HostsFileError(`two imagery hosts have the name "${repeated}"`)
}

/** Begins to read what the hosts offer, so that the first search does not wait for it. */
export function loadHostOffersAtStart(hosts: Iterable<ImageryHost>, log: Logger): void {
  for (const host of hosts)
    host.check?.().catch((error: unknown) => log.warn({ host: host.name, error }, 'an imagery host does not respond'))
}

const openStacHost = (row: StacHostDefinition, dependencies: OpenHostsDependencies): ImageryHost =>
  createStacHost(row, connectionOf(row.name, dependencies))

/** The dependencies of a host that is reached over HTTP. */
const connectionOf = (name: string, { config, clock, tracing }: OpenHostsDependencies) => ({
  clock,
  token: config.catalog_host_tokens.get(name) ?? null,
  createFetch: (private_origins: readonly string[]) =>
    createSafeFetch({
      config: { ...config, outside_allow: [...config.outside_allow, ...private_origins] },
      ...(tracing ? { tracing } : {}),
    }),
})

async function openEntry(entry: HostConfigEntry, dependencies: OpenHostsDependencies): Promise<ImageryHost> {
  if (entry.kind === 'stac') return openStacHost(toStacRow(entry), dependencies)
  if (entry.kind === 'stapi')
    return createStapiHost(toStapiRow(toMetadata(entry), entry), connectionOf(entry.name, dependencies))
  const source =
    'folder' in entry ? openFolderSource(entry.folder) : await openBucket(entry.bucket, dependencies.config)
  return openArchive(entry, source, dependencies)
}

function openArchive(
  entry: ArchiveHostConfigEntry,
  source: ArchiveHostStorage,
  { log, renderQuicklook }: OpenHostsDependencies,
): ImageryHost {
  const metadata = toMetadata(entry)
  const collections = entry.collections.map((collection) => toHostCollection(metadata, collection))
  const index = createArchiveIndex({
    source,
    collections: new Set(collections.map(({ id }) => id)),
    asset_keys: entry.asset_keys ?? null,
    refresh_ms: (entry.refresh_s ?? 60) * 1000,
    onInvalidItems: (count, example) =>
      log.warn({ host: entry.name, count, example }, 'items of an archive cannot be offered'),
  })
  return createArchiveHost({ metadata: { ...metadata, collections }, source, index, renderQuicklook })
}

async function openBucket(url: string, config: Config): Promise<ArchiveHostStorage> {
  const location = bucketUrlSetting.parse(url)
  if (!location) throw new HostsFileError('the bucket of an archive has no name')
  // The SDK costs time and memory at startup, so it is loaded only for S3.
  const { openS3Reader } = await import('../../blobs/s3-reader.ts')
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey } = config
  const reader = openS3Reader({
    ...location,
    region: config.aws_region ?? 'us-east-1',
    endpoint: config.aws_endpoint_s3 ?? config.aws_endpoint,
    credentials:
      accessKeyId && secretAccessKey
        ? {
            accessKeyId,
            secretAccessKey,
            ...(config.aws_session_token ? { sessionToken: config.aws_session_token } : {}),
          }
        : null,
  })
  return openBucketArchiveStorage(url, reader)
}

const toMetadata = (entry: HostConfigEntry): HostMetadata => ({
  name: entry.name,
  title: entry.title,
  description: entry.description ?? entry.title,
  access_model: entry.access_model ?? (hasPrice(entry) ? 'commercial' : 'open'),
  scope: entry.scope ?? 'global',
  countries: entry.countries ?? [],
  attribution: entry.attribution,
  license: entry.license,
  license_url: entry.license_url,
  providers: entry.providers ?? [],
  eulas: (entry.eulas ?? []).map(toHostEula),
  eula: entry.eula ?? null,
})

const hasPrice = (entry: HostConfigEntry): boolean =>
  entry.kind === 'stapi' || (entry.kind === 'archive' && entry.collections.some(({ price }) => price))

const toStacRow = (entry: StacHostConfigEntry): StacHostDefinition => ({
  ...toMetadata(entry),
  url: entry.url,
  signing: entry.signing ?? 'none',
  collections: entry.collections ?? null,
  asset_keys: entry.asset_keys ?? null,
  token_origins: entry.token_origins ?? [],
  allow_private: entry.allow_private ?? false,
  private_origins: entry.private_origins ?? [],
})

const common_queryables = ['platform', 'constellation'] as const

const toHostCollection = (
  metadata: HostMetadata,
  collection: ArchiveHostConfigEntry['collections'][number],
): HostCollection => ({
  id: collection.id,
  title: collection.title,
  data_type: collection.data_type ?? 'optical',
  render_strategy: 'cog',
  gsd: collection.gsd ?? null,
  render_params: collection.render_params ?? {},
  license: collection.license ?? metadata.license,
  license_url: collection.license_url ?? metadata.license_url,
  attribution: collection.attribution ?? metadata.attribution,
  price: collection.price ?? null,
  eula: collection.eula ?? null,
  queryables: [...common_queryables, ...(collection.queryables ?? [])],
})
