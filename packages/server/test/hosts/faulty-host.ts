import { open, truncate, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { createDemoHosts } from '../../src/platform/integrations/hosts/demo/demo-hosts.ts'
import { renderQuicklook } from '../../src/domains/catalog/scene-quicklook.ts'
import {
  HostRefusal,
  type CancelPolicy,
  type HostOrderDelivery,
  type HostFile,
  type ImageryHost,
  type HostOrderReference,
} from '../../src/platform/integrations/imagery-host.ts'

const demoDir = new URL('../../demo/', import.meta.url)

/** `stall`: no response until the caller aborts. `deaf`: ignores the abort, until `releaseHangingPlacements`. */
export type PlacementBehaviour = 'accept' | 'refuse' | 'fail' | 'stall' | 'deaf'
export type DeliveryBehaviour = 'ready' | 'waiting' | 'refuse' | 'fail' | 'stall'
/** The fault of the file of a scene; `missing`: the file is not in the delivery. */
export type FileFault = 'whole' | 'missing' | 'truncated' | 'altered' | 'not-a-tiff' | 'fail'

/** The behaviour of the host at each call; the last step of a list repeats. */
export interface FaultyHostBehaviour {
  readonly place?: readonly PlacementBehaviour[]
  readonly deliveries?: readonly DeliveryBehaviour[]
  /** The faults of files by scene, attempt after attempt. */
  readonly files?: Readonly<Record<string, readonly FileFault[]>>
  readonly delivers_later?: boolean
  /** The response to a cancellation; absent: it cannot cancel. */
  readonly cancel?: readonly ('accept' | 'refuse' | 'fail')[]
  /** The policy of all of its products. */
  readonly cancel_policy?: CancelPolicy
  /** The failure of searches and quicklooks. */
  readonly catalog?: 'fail' | 'stall'
}

export interface FaultyHost extends ImageryHost {
  /** References of the orders that it was requested to withdraw. */
  readonly canceledReferences: readonly string[]
  /** Ids of the orders submitted to it, in order; an order submitted twice appears twice. */
  readonly placedOrderIds: readonly string[]
  /** The number of polls of its deliveries. */
  readonly countDeliveryPolls: () => number
  /** Completes every `deaf` placement that still hangs. */
  releaseHangingPlacements(): void
}

/** Small, priced, and delivered in well under a second. */
export const smallScenes = ['naip-va-17n', 'naip-va-18n'] as const

/** Returns the steps one by one, then repeats the last one. */
function playBack<Step>(steps: readonly Step[] | undefined, lastStep: Step): () => Step {
  const remaining = [...(steps ?? [lastStep])]
  return () => (remaining.length > 1 ? remaining.shift()! : (remaining[0] ?? lastStep))
}

const waitForAbort = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

/** A priced host with real scenes that fails as configured; without a behaviour it never fails. */
export async function createFaultyHost(name: string, behaviour: FaultyHostBehaviour = {}): Promise<FaultyHost> {
  const [, commercial] = (await createDemoHosts(demoDir, renderQuicklook)) as [ImageryHost, ImageryHost]
  const nextPlacement = playBack(behaviour.place, 'accept')
  const nextDelivery = playBack(behaviour.deliveries, 'ready')
  const nextFileFault = new Map(
    Object.entries(behaviour.files ?? {}).map(([scene, steps]) => [scene, playBack(steps, 'whole')]),
  )
  const placedOrderIds: string[] = []
  const canceledReferences: string[] = []
  const nextCancellation = playBack(behaviour.cancel, 'accept')
  const hanging: (() => void)[] = []
  let pollCount = 0

  const place = async (
    order: { id: string; scenes: readonly string[] },
    signal?: AbortSignal,
  ): Promise<HostOrderReference> => {
    placedOrderIds.push(order.id)
    const step = nextPlacement()
    if (step === 'refuse') throw new HostRefusal('The scene is not for sale in your country.')
    if (step === 'fail') throw new Error('The ordering service is unavailable.')
    if (step === 'stall') return waitForAbort(signal)
    if (step === 'deaf') await new Promise<void>((resolve) => hanging.push(resolve))
    return commercial.place(order, signal)
  }

  const deliveries = async (reference: string, signal?: AbortSignal): Promise<HostOrderDelivery> => {
    pollCount += 1
    const step = nextDelivery()
    if (step === 'waiting') return { state: 'waiting' }
    if (step === 'refuse') return { state: 'refused', reason: 'The scene was withdrawn.' }
    if (step === 'fail') throw new Error('The delivery service is unavailable.')
    if (step === 'stall') return waitForAbort(signal)
    const delivery = await commercial.deliveries(reference, signal)
    if (delivery.state !== 'ready') return delivery
    return {
      state: 'ready',
      files: delivery.files.flatMap((file) => applyFault(file, nextFileFault.get(file.scene)?.() ?? 'whole')),
    }
  }

  const cancel = async (reference: string): Promise<void> => {
    canceledReferences.push(reference)
    const step = nextCancellation()
    if (step === 'refuse') throw new HostRefusal('The scene is being prepared.')
    if (step === 'fail') throw new Error('The ordering service is unavailable.')
  }

  const { cancel_policy } = behaviour
  const collections = commercial.collections.map((collection) =>
    collection.price && cancel_policy ? { ...collection, price: { ...collection.price, cancel_policy } } : collection,
  )

  const simulateCatalogFault = async (signal: AbortSignal | undefined): Promise<void> => {
    if (behaviour.catalog === 'fail') throw new Error('secret-host.internal:8443 refused the connection')
    if (behaviour.catalog === 'stall') await waitForAbort(signal)
  }

  return {
    ...commercial,
    name,
    title: `A host for tests, ${name}`,
    delivers_later: behaviour.delivers_later ?? false,
    collections,
    placedOrderIds,
    canceledReferences,
    ...(behaviour.cancel ? { cancel } : {}),
    countDeliveryPolls: () => pollCount,
    releaseHangingPlacements: () => hanging.splice(0).forEach((release) => release()),
    ...(behaviour.catalog ? { check: simulateCatalogFault } : {}),
    search: async (search, signal) => (await simulateCatalogFault(signal), commercial.search(search, signal)),
    quicklook: async (scene, signal) => (await simulateCatalogFault(signal), commercial.quicklook(scene, signal)),
    thumbnail: async (scene, signal) => (await simulateCatalogFault(signal), commercial.thumbnail!(scene, signal)),
    sceneFiles: async (scene, signal) => (await simulateCatalogFault(signal), commercial.sceneFiles!(scene, signal)),
    place,
    deliveries,
  }
}

const not_a_tiff_bytes = Buffer.from('This is text and not an image.')

/** Applies the fault to the file. */
function applyFault(file: HostFile, fault: FileFault): HostFile[] {
  const withDamage = (damage: (path: string) => Promise<void>, overrides: Partial<HostFile> = {}): HostFile[] => [
    {
      ...file,
      ...overrides,
      async download(path, signal) {
        await file.download(path, signal)
        await damage(path)
      },
    },
  ]
  switch (fault) {
    case 'whole':
      return [file]
    case 'missing':
      return []
    case 'truncated':
      return withDamage((path) => truncate(path, Math.floor((file.size ?? 0) / 2)))
    case 'altered':
      return withDamage((path) => flipByte(path, Math.floor((file.size ?? 0) / 2)))
    case 'not-a-tiff':
      // Size and checksum match the delivered bytes.
      return withDamage((path) => writeFile(path, not_a_tiff_bytes), {
        size: not_a_tiff_bytes.length,
        sha256: createHash('sha256').update(not_a_tiff_bytes).digest('hex'),
      })
    case 'fail':
      return withDamage(() => Promise.reject(new Error('The download broke off.')))
  }
}

async function flipByte(path: string, offset: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, offset)
    await file.write(Buffer.from([buffer[0]! ^ 0xff]), 0, 1, offset)
  } finally {
    await file.close()
  }
}
