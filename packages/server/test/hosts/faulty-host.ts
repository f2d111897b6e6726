import { open, truncate, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { demoHosts } from '../../src/domains/catalog/hosts/demo.ts'
import {
  HostRefusal,
  type HostDelivery,
  type HostFile,
  type ImageryHost,
  type PlacedWithHost,
} from '../../src/platform/outside/imagery-host.ts'

const demoDir = new URL('../../demo/', import.meta.url)

/** `stall`: no response until the caller aborts. `deaf`: ignores the abort, until `releaseHangingPlacements`. */
export type PlaceAnswer = 'accept' | 'refuse' | 'fail' | 'stall' | 'deaf'
export type DeliveryAnswer = 'ready' | 'waiting' | 'refuse' | 'fail' | 'stall'
/** The fault of the file of a scene; `missing`: the file is not in the delivery. */
export type FileFault = 'whole' | 'missing' | 'truncated' | 'altered' | 'not-a-tiff' | 'fail'

/** What the host does at each call; the last step of a list repeats. */
export interface Behaviour {
  readonly place?: readonly PlaceAnswer[]
  readonly deliveries?: readonly DeliveryAnswer[]
  /** By scene, attempt after attempt. */
  readonly files?: Readonly<Record<string, readonly FileFault[]>>
  readonly delivers_later?: boolean
  /** How searches and quicklooks fail. */
  readonly catalog?: 'fail' | 'stall'
}

export interface FaultyHost extends ImageryHost {
  /** Ids of the orders submitted to it, in order; an order submitted twice appears twice. */
  readonly asked: readonly string[]
  /** How often its deliveries were polled. */
  readonly polls: () => number
  /** Completes every `deaf` placement that still hangs. */
  wakeUp(): void
}

/** Small, priced, and delivered in well under a second. */
export const smallScenes = ['naip-va-17n', 'naip-va-18n'] as const

/** Returns the steps one by one, then repeats the last one. */
function script<Answer>(row: readonly Answer[] | undefined, usual: Answer): () => Answer {
  const left = [...(row ?? [usual])]
  return () => (left.length > 1 ? left.shift()! : (left[0] ?? usual))
}

const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

/** A priced host with real scenes that fails as configured; without a behaviour it never fails. */
export async function faultyHost(name: string, behaviour: Behaviour = {}): Promise<FaultyHost> {
  const [, commercial] = (await demoHosts(demoDir)) as [ImageryHost, ImageryHost]
  const placing = script(behaviour.place, 'accept')
  const delivering = script(behaviour.deliveries, 'ready')
  const faults = new Map(Object.entries(behaviour.files ?? {}).map(([scene, row]) => [scene, script(row, 'whole')]))
  const asked: string[] = []
  const sleeping: (() => void)[] = []
  let polls = 0

  const place = async (
    order: { id: string; scenes: readonly string[] },
    signal?: AbortSignal,
  ): Promise<PlacedWithHost> => {
    asked.push(order.id)
    const answer = placing()
    if (answer === 'refuse') throw new HostRefusal('The scene is not for sale in your country.')
    if (answer === 'fail') throw new Error('The ordering service is unavailable.')
    if (answer === 'stall') return untilAborted(signal)
    if (answer === 'deaf') await new Promise<void>((resolve) => sleeping.push(resolve))
    return commercial.place(order, signal)
  }

  const deliveries = async (reference: string, signal?: AbortSignal): Promise<HostDelivery> => {
    polls += 1
    const answer = delivering()
    if (answer === 'waiting') return { state: 'waiting' }
    if (answer === 'refuse') return { state: 'refused', reason: 'The scene was withdrawn.' }
    if (answer === 'fail') throw new Error('The delivery service is unavailable.')
    if (answer === 'stall') return untilAborted(signal)
    const delivery = await commercial.deliveries(reference, signal)
    if (delivery.state !== 'ready') return delivery
    return {
      state: 'ready',
      files: delivery.files.flatMap((file) => faulted(file, faults.get(file.scene)?.() ?? 'whole')),
    }
  }

  const looking = async (signal: AbortSignal | undefined): Promise<void> => {
    if (behaviour.catalog === 'fail') throw new Error('secret-host.internal:8443 refused the connection')
    if (behaviour.catalog === 'stall') await untilAborted(signal)
  }

  return {
    ...commercial,
    name,
    title: `A host for tests, ${name}`,
    delivers_later: behaviour.delivers_later ?? false,
    asked,
    polls: () => polls,
    wakeUp: () => sleeping.splice(0).forEach((wake) => wake()),
    search: async (search, signal) => (await looking(signal), commercial.search(search, signal)),
    quicklook: async (scene, signal) => (await looking(signal), commercial.quicklook(scene, signal)),
    place,
    deliveries,
  }
}

const junk = Buffer.from('This is text and not an image.')

/** Applies the fault to the file. */
function faulted(file: HostFile, fault: FileFault): HostFile[] {
  const damaged = (damage: (path: string) => Promise<void>, facts: Partial<HostFile> = {}): HostFile[] => [
    {
      ...file,
      ...facts,
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
      return damaged((path) => truncate(path, Math.floor(file.size / 2)))
    case 'altered':
      return damaged((path) => alter(path, Math.floor(file.size / 2)))
    case 'not-a-tiff':
      // Size and checksum match the delivered bytes.
      return damaged((path) => writeFile(path, junk), {
        size: junk.length,
        sha256: createHash('sha256').update(junk).digest('hex'),
      })
    case 'fail':
      return damaged(() => Promise.reject(new Error('The download broke off.')))
  }
}

async function alter(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at)
    await file.write(Buffer.from([buffer[0]! ^ 0xff]), 0, 1, at)
  } finally {
    await file.close()
  }
}
