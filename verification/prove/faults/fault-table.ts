import type { FaultsFixture } from './fixture.ts'
import type { ProxyTraffic } from './tcp-proxy.ts'

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

/** A fault of the connections to a service. */
const traffic = (proxy: 'to_postgres' | 'to_store', kind: ProxyTraffic) => ({
  begin: (world: FaultsFixture) => world[proxy].set(kind),
  end: (world: FaultsFixture) => world[proxy].set({ kind: 'pass' }),
})

/** Faults of a server affect the second process, so that the first one continues alone. */
const secondServer = ({ servers }: FaultsFixture) => servers[1]!

/** All injected faults. */
export const faults: readonly InjectedFault[] = [
  {
    name: 'PostgreSQL hangs',
    isInShortForm: true,
    ...traffic('to_postgres', { kind: 'hang' }),
    makesUnready: true,
    duration_ms: longDuration,
  },
  {
    name: 'PostgreSQL resets connections',
    ...traffic('to_postgres', { kind: 'reset' }),
    makesUnready: true,
    duration_ms: shortDuration,
  },
  {
    name: 'PostgreSQL is slow',
    ...traffic('to_postgres', { kind: 'slow', delay_ms: 20 }),
    makesUnready: false,
    duration_ms: shortDuration,
  },
  {
    name: 'PostgreSQL refuses connections',
    ...traffic('to_postgres', { kind: 'refuse' }),
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
    ...traffic('to_store', { kind: 'hang' }),
    makesUnready: true,
    duration_ms: longDuration,
  },
  {
    name: 'S3 returns 503',
    ...traffic('to_store', { kind: 'answer', bytes: unavailable }),
    makesUnready: true,
    duration_ms: shortDuration,
  },
  { name: 'S3 is absent', ...traffic('to_store', { kind: 'refuse' }), makesUnready: true, duration_ms: shortDuration },
  {
    name: 'a server is frozen',
    begin: async (world) => void process.kill(secondServer(world).pid, 'SIGSTOP'),
    end: async (world) => void process.kill(secondServer(world).pid, 'SIGCONT'),
    makesUnready: false,
    duration_ms: { short: 1200, full: 20_000 },
  },
  {
    name: 'a server is killed',
    isInShortForm: true,
    begin: (world) => secondServer(world).kill(),
    end: (world) => secondServer(world).start(),
    makesUnready: false,
    duration_ms: shortDuration,
  },
]
