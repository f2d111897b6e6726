import { Outlet, useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useLiveUpdates } from '../api/live-updates.ts'
import { usePlatform } from '../api/platform.tsx'
import { useRecordSteps } from '../first-run/use-record-steps.ts'
import { MapCanvas } from '../map/map-canvas.tsx'
import { MapProvider } from '../map/map-context.tsx'
import { formatView, parseView, type MapView } from '../map/map-view.ts'
import { registerPlatformTiles } from '../map/platform-tiles.ts'
import { texts } from '../texts.ts'
import { AccountButton } from './account-button.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { ErrorBoundary } from '../ui/boundaries/error-boundary.tsx'
import styles from './frame.module.css'
import { MapFailure } from './map-failure.tsx'
import { PaletteHost } from './palette-host.tsx'
import { Rail } from './rail.tsx'
import { SandboxGate } from './sandbox/sandbox-gate.tsx'
import { useTheme } from './theme.ts'
import { Toasts, useToasts } from './toasts.tsx'
import { useGivenView } from './use-given-view.ts'
import { usePageTitle } from './use-page-title.ts'
import { usePanelFocus } from './use-panel-focus.ts'
import { UploadsProvider } from '../uploads/uploads-context.tsx'
import { usePaletteState } from './use-palette-state.ts'
import { Workspace } from './workspace.tsx'

/** The rail, the panel of the current place, and the one map that stays. */
export function Frame() {
  const navigate = useNavigate()
  const { v } = useSearch({ strict: false }) as { v?: string }
  const choice = useTheme()
  const palette = usePaletteState()
  const { client } = usePlatform()
  useEffect(() => registerPlatformTiles(client), [client])
  const { toasts, addToasts, dismiss } = useToasts(useRouterState({ select: ({ location }) => location.pathname }))
  const reachability = useLiveUpdates(addToasts)
  usePageTitle()
  usePanelFocus()
  useRecordSteps()
  // Moving the map is not a step that "back" undoes.
  const showView = (view: MapView): Promise<void> =>
    navigate({ to: '.', search: (previous) => ({ ...previous, v: formatView(view) }), replace: true })
  const isViewGiven = useGivenView(v !== undefined)
  return (
    <div className={styles['frame']}>
      <a href="#panel" className={styles['skip']}>
        {texts.frame.skipToPanel}
      </a>
      <Rail onOpenPalette={palette.open}>
        <AccountButton choice={choice} />
      </Rail>
      <UploadsProvider>
        <MapProvider isViewGiven={isViewGiven}>
          <Workspace panel={<Outlet />}>
            <ErrorBoundary fallback={() => <MapFailure />}>
              <MapCanvas view={parseView(v)} onMove={showView} theme={choice.isDark ? 'dark' : 'light'} />
            </ErrorBoundary>
            <SandboxGate />
            <ErrorBoundary fallback={() => null}>
              <ConnectionBanner reachability={reachability} />
              <Toasts toasts={toasts} onDismiss={dismiss} />
            </ErrorBoundary>
          </Workspace>
          <PaletteHost state={palette} choice={choice} />
        </MapProvider>
      </UploadsProvider>
    </div>
  )
}
