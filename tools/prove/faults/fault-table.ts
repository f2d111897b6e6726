import { startServer } from '../server-process.ts'
import type { World } from './world.ts'

/** One way in which something that the product needs fails, and is well again. */
export interface Fault {
  readonly name: string
  readonly begin: (world: World) => Promise<void>
  readonly end: (world: World) => Promise<void>
  /** Whether a server that runs must say that it is not ready. */
  readonly told: boolean
  readonly last_ms: { readonly short: number; readonly full: number }
  /** Whether the short form tries it, too. */
  readonly brief?: boolean
  /** Why it cannot be tried here; null where it can. */
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

/** Long enough for a server to find out that nobody answers, and for calls to give up. */
const silent = { short: 2700, full: 20_000 }
const brief = { short: 1200, full: 5000 }

const pass = { kind: 'pass' } as const

/** The second process, so that the first one goes on alone. */
const second = ({ servers }: World) => servers[1]!

/** Every fault, by what happens. */
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
    // Everything can be read, so the server is ready for most of what it is asked.
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
    name: 'S3 answers 503',
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
