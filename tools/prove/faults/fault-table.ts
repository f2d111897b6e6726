import { startServer } from '../server-process.ts'
import type { World } from './world.ts'

/** A fault of a dependency that can be injected and removed. */
export interface Fault {
  readonly name: string
  readonly begin: (world: World) => Promise<void>
  readonly end: (world: World) => Promise<void>
  /** Whether `/readyz` must report that the server is not ready. */
  readonly told: boolean
  readonly last_ms: { readonly short: number; readonly full: number }
  /** Whether the short form includes it. */
  readonly brief?: boolean
  /** Why it cannot be injected on this machine; null if it can. */
  readonly impossible?: (world: World) => string | null
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
const silent = { short: 2700, full: 20_000 }
const brief = { short: 1200, full: 5000 }

const pass = { kind: 'pass' } as const

/** Faults of a server affect the second process, so that the first one continues alone. */
const second = ({ servers }: World) => servers[1]!

/** All injected faults. */
export const faults: readonly Fault[] = [
  {
    name: 'PostgreSQL hangs',
    brief: true,
    begin: ({ to_postgres }) => to_postgres.set({ kind: 'hang' }),
    end: ({ to_postgres }) => to_postgres.set(pass),
    told: true,
    last_ms: silent,
  },
  {
    name: 'PostgreSQL resets connections',
    begin: ({ to_postgres }) => to_postgres.set({ kind: 'reset' }),
    end: ({ to_postgres }) => to_postgres.set(pass),
    told: true,
    last_ms: brief,
  },
  {
    name: 'PostgreSQL is slow',
    begin: ({ to_postgres }) => to_postgres.set({ kind: 'slow', delay_ms: 20 }),
    end: ({ to_postgres }) => to_postgres.set(pass),
    told: false,
    last_ms: brief,
  },
  {
    name: 'PostgreSQL refuses connections',
    begin: ({ to_postgres }) => to_postgres.set({ kind: 'refuse' }),
    end: ({ to_postgres }) => to_postgres.set(pass),
    told: true,
    last_ms: brief,
  },
  {
    name: 'PostgreSQL is killed',
    brief: true,
    begin: ({ postgres }) => postgres.kill(),
    end: ({ postgres }) => postgres.restart(),
    told: true,
    last_ms: brief,
  },
  {
    name: 'the disk of PostgreSQL is full',
    brief: true,
    begin: ({ postgres }) => postgres.disk!.fill(),
    end: ({ postgres }) => postgres.disk!.free(),
    // Reads still work, so the server stays ready.
    told: false,
    last_ms: brief,
    impossible: ({ postgres }) => (postgres.disk === null ? 'no small disk could be mounted' : null),
  },
  {
    name: 'S3 hangs',
    brief: true,
    begin: ({ to_store }) => to_store.set({ kind: 'hang' }),
    end: ({ to_store }) => to_store.set(pass),
    told: true,
    last_ms: silent,
  },
  {
    name: 'S3 returns 503',
    begin: ({ to_store }) => to_store.set({ kind: 'answer', bytes: unavailable }),
    end: ({ to_store }) => to_store.set(pass),
    told: true,
    last_ms: brief,
  },
  {
    name: 'S3 is absent',
    begin: ({ to_store }) => to_store.set({ kind: 'refuse' }),
    end: ({ to_store }) => to_store.set(pass),
    told: true,
    last_ms: brief,
  },
  {
    name: 'a server is frozen',
    begin: async (world) => void process.kill(second(world).process.pid, 'SIGSTOP'),
    end: async (world) => void process.kill(second(world).process.pid, 'SIGCONT'),
    told: false,
    last_ms: { short: 1200, full: 20_000 },
  },
  {
    name: 'a server is killed',
    brief: true,
    begin: (world) => second(world).process.kill(),
    end: async (world) => {
      const dead = second(world)
      dead.process = await startServer(dead.environment)
    },
    told: false,
    last_ms: brief,
  },
]
