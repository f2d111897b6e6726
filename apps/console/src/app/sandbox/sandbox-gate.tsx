import { lazy, Suspense } from 'react'
import { usePrincipal } from '../../api/use-principal.ts'
import { ErrorBoundary } from '../../ui/boundaries/error-boundary.tsx'

const SandboxBar = lazy(() => import('./sandbox-bar.tsx').then((module) => ({ default: module.SandboxBar })))

/** The clock of a sandbox organization; other organizations have none, and do not load it. */
export function SandboxGate() {
  const { data: me } = usePrincipal()
  if (me?.organization?.sandbox !== true) return null
  return (
    <ErrorBoundary fallback={() => null}>
      <Suspense>
        <SandboxBar />
      </Suspense>
    </ErrorBoundary>
  )
}
