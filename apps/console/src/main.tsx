import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PlatformProvider } from './api/platform.tsx'
import { isRepeatable } from './api/problem.ts'
import { router } from './app/router.tsx'
import { applyTheme, readTheme } from './app/theme.ts'
import { SessionFailure } from './session/session-failure.tsx'
import { leaveForSignIn, openSession, SignedOut } from './session/session.ts'
import './ui/tokens.css'
import './ui/base.css'

applyTheme(readTheme())
const page = createRoot(document.getElementById('root')!)
const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: 30_000, retry: (failures, error) => failures < 2 && isRepeatable(error) } },
})

async function start(): Promise<void> {
  const { session, returnTo } = await openSession(new URL(location.href))
  if (returnTo !== null) history.replaceState(null, '', returnTo)
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

start().catch(async (error: unknown) => {
  if (error instanceof SignedOut) await leaveForSignIn()
  page.render(<SessionFailure error={error} />)
})
