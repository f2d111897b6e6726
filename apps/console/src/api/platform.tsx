import { createContext, use, useState, type ReactNode } from 'react'
import { createClient, type Client } from '@swath/client/client.ts'
import type { Session } from '../session/session.ts'

export interface Platform {
  readonly client: Client
  readonly session: Session
}

const PlatformContext = createContext<Platform | null>(null)

export function PlatformProvider({ session, children }: { session: Session; children: ReactNode }) {
  const [platform] = useState(() => ({
    client: createClient({ baseUrl: location.origin, token: session.getToken }),
    session,
  }))
  return <PlatformContext value={platform}>{children}</PlatformContext>
}

/** The client of the signed-in person. */
export function usePlatform(): Platform {
  const platform = use(PlatformContext)
  if (!platform) throw new Error('no session is open')
  return platform
}
