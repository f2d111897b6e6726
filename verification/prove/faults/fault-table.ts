import { startServer } from '../server-process.ts'
import type { FaultsFixture } from './fixture.ts'

/** A fault of a dependency that can be injected and removed. */
export interface InjectedFault {
  readonly name: string
  readonly begin: (world: FaultsFixture) => Promise<void>
  readonly end: (world: FaultsFixture) => Promise<void>
  /** Whether `/readyz` must report that the server is not ready. */
  readonly makesUnready: boolean
  readonly duration_ms: { readonly short: number; readonly full: number }
  /** Whether the short form includes it. */
  readonly isInShortForm?: boolean
  /** Why it cannot be injected on this machine; null if it can. */
  readonly whyImpossible?: (world: FaultsFixture) => string | null
}

const unavailable = [
  'HTTP/1.1 503 Slow Down',
  'content-type: application/xml',
  'connection: close',
  'content-length: 54',
  '',
  '<Error><Code>SlowDown</Code><Message/></Error>        ',
].join('\r\n')

/** Long enough for server and callers to run into their timeouts. */
const longDuration = { short: 2700, full: 20_000 }
const shortDuration = { short: 1200, full: 5000 }

const passTraffic = { kind: 'pass' } as const

/** Faults of a server affect the second process, so that the first one continues alone. */
const secondServer = ({ servers }: FaultsFixture) => servers[1]!

/** All injected faults. */
export const faults: readonly InjectedFault[] = [
  {
    name: 'PostgreSQL hangs',
    isInShortForm: true,
    begin: ({ to_postgres }) => to_postgres.set({ kind: 'hang' }),
    end: ({ to_postgres }) => to_postgres.set(passTraffic),
    makesUnready: true,
    duration_ms: longDuration,
  },
  {
    name: 'PostgreSQL resets connections',
    begin: ({ to_postgres }) => to_postgres.set({ kind: 'reset' }),
    end: ({ to_postgres }) => to_postgres.set(passTraffic),
    makesUnready: true,
    duration_ms: shortDuration,
  },
  {
    name: 'PostgreSQL is slow',
    begin: ({ to_postgres }) => to_postgres.set({ kind: 'slow', delay_ms: 20 }),
    end: ({ to_postgres }) => to_postgres.set(passTraffic),
    makesUnready: false,
    duration_ms: shortDuration,
  },
  {
    name: 'PostgreSQL refuses connections',
    begin: ({ to_postgres }) => to_postgres.set({ kind: 'refuse' }),
    end: ({ to_postgres }) => to_postgres.set(passTraffic),
    makesUnready: true,
    duration_ms: shortDuration,
  },
  {
    name: 'PostgreSQL is killed',
    isInShortForm: true,
    begin: ({ postgres }) => postgres.kill(),
    end: ({ postgres }) => postgres.restart(),
    makesUnready: true,
    duration_ms: shortDuration,
  },
  {
    name: 'the disk of PostgreSQL is full',
    isInShortForm: true,
    begin: ({ postgres }) => postgres.disk!.fill(),
    end: ({ postgres }) => postgres.disk!.free(),
    // Reads still work, so the server stays ready.
    makesUnready: false,
    duration_ms: shortDuration,
    whyImpossible: ({ postgres }) => (postgres.disk === null ? 'no small disk could be mounted' : null),
  },
  {
    name: 'S3 hangs',
    isInShortForm: true,
    begin: ({ to_store }) => to_store.set({ kind: 'hang' }),
    end: ({ to_store }) => to_store.set(passTraffic),
    makesUnready: true,
    duration_ms: longDuration,
  },
  {
    name: 'S3 returns 503',
    begin: ({ to_store }) => to_store.set({ kind: 'answer', bytes: unavailable }),
    end: ({ to_store }) => to_store.set(passTraffic),
    makesUnready: true,
    duration_ms: shortDuration,
  },
  {
    name: 'S3 is absent',
    begin: ({ to_store }) => to_store.set({ kind: 'refuse' }),
    end: ({ to_store }) => to_store.set(passTraffic),
    makesUnready: true,
    duration_ms: shortDuration,
  },
  {
    name: 'a server is frozen',
    begin: async (world) => void process.kill(secondServer(world).process.pid, 'SIGSTOP'),
    end: async (world) => void process.kill(secondServer(world).process.pid, 'SIGCONT'),
    makesUnready: false,
    duration_ms: { short: 1200, full: 20_000 },
  },
  {
    name: 'a server is killed',
    isInShortForm: true,
    begin: (world) => secondServer(world).process.kill(),
    end: async (world) => {
      const dead = secondServer(world)
      dead.process = await startServer(dead.environment)
    },
    makesUnready: false,
    duration_ms: shortDuration,
  },
]
