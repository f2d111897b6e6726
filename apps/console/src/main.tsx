import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PlatformProvider } from './api/platform.tsx'
import { isRetriedSilently, retryDelay } from './api/problem.ts'
import { router } from './app/router.tsx'
import { applyTheme, readTheme } from './app/theme.ts'
import { SignedOut } from './session/session-error.ts'
import { SessionFailure } from './session/session-failure.tsx'
import { leaveForSignIn, openSession } from './session/session.ts'
import './ui/theme/tokens.css'
import './ui/theme/base.css'

applyTheme(readTheme())
// A page from the back/forward cache may show a person who has signed out since.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  document.documentElement.hidden = true
  location.reload()
})

const page = createRoot(document.getElementById('root')!)
const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, retry: isRetriedSilently, retryDelay, networkMode: 'always' },
    // Without a connection a call fails and says so; a payment must not be made later by itself.
    mutations: { networkMode: 'always' },
  },
})

async function start(): Promise<void> {
  const session = await openSession(new URL(location.href))
  page.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <PlatformProvider session={session}>
          <RouterProvider router={router} />
        </PlatformProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}

const open = (): Promise<void> =>
  start().catch((error: unknown) => {
    if (error instanceof SignedOut) return leaveForSignIn()
    throw error
  })

open().catch((error: unknown) => page.render(<SessionFailure error={error} onSignIn={leaveForSignIn} onRetry={open} />))
