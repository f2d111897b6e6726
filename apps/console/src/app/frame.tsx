import { Outlet, useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { lazy, useCallback, useEffect, useRef, useState } from 'react'
import { useLiveUpdates } from '../api/live-updates.ts'
import { usePlatform } from '../api/platform.tsx'
import { ReachabilityContext } from '../api/reachability.ts'
import { useRecordSteps } from '../first-run/use-record-steps.ts'
import { MapCanvas } from '../map/map-canvas.tsx'
import { MapProvider } from '../map/map-context.tsx'
import { type MapView, formatView, parseView } from '../map/map-view.ts'
import { registerPlatformTiles } from '../map/platform-tiles.ts'
import { firstStepsTexts } from '../texts/first-steps.ts'
import { frameTexts } from '../texts/frame.ts'
import { paletteTexts } from '../texts/palette.ts'
import { AccountButton } from './account-button.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { ErrorBoundary } from '../ui/boundaries/error-boundary.tsx'
import styles from './frame.module.css'
import { MapFailure } from './map-failure.tsx'
import { Rail, usePlaces } from './rail.tsx'
import { SandboxGate } from './sandbox/sandbox-gate.tsx'
import { type ThemeChoice, themes, useTheme } from './theme.ts'
import { Toasts, useToasts } from './toasts.tsx'
import { useGivenView } from './use-given-view.ts'
import { UploadsProvider } from '../uploads/uploads-context.tsx'
import { Workspace } from './workspace.tsx'
import { useShowSteps } from '../first-run/use-show-steps.ts'
import { OverlayBoundary } from '../ui/boundaries/overlay-boundary.tsx'

interface PaletteState {
  readonly isOpen: boolean
  readonly open: () => void
  readonly close: () => void
}

/** Whether the command palette is open; Ctrl or ⌘ with K opens and closes it. */
function usePaletteState(): PaletteState {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen((previous) => !previous)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const open = useCallback(() => setOpen(true), [])
  const close = useCallback(() => setOpen(false), [])
  return { isOpen, open, close }
}

const Palette = lazy(() => import('../features/palette/palette.tsx').then((module) => ({ default: module.Palette })))

/** Loads the command palette when it is opened for the first time. */
function PaletteHost({ state, choice }: { state: PaletteState; choice: ThemeChoice }) {
  const places = usePlaces()
  const showSteps = useShowSteps()
  if (!state.isOpen) return null
  const commands = [
    { id: 'first-steps', group: 'go' as const, label: firstStepsTexts.show, run: showSteps },
    ...themes.map((theme) => ({
      id: `theme ${theme}`,
      group: 'go' as const,
      label: paletteTexts.theme(frameTexts.theme[theme]),
      run: () => choice.chooseTheme(theme),
    })),
  ]
  return (
    <OverlayBoundary onClose={state.close}>
      <Palette places={places} commands={commands} onClose={state.close} />
    </OverlayBoundary>
  )
}

/**
 * After a navigation the focus goes to the heading of the panel, unless something in the panel still has it: a keyboard goes on
 * where the eyes are, and a screen reader says where one is.
 */
function usePanelFocus(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const previous = useRef(path)
  useEffect(() => {
    const isFirst = previous.current === undefined
    const isSame = previous.current === path
    previous.current = path
    const panel = document.getElementById('panel')
    if (isFirst || isSame || !panel || isWorking(panel)) return
    panel.querySelector('h1')?.focus({ preventScroll: true })
  }, [path])
}

/** True if an element in the panel, or an open dialog, has the focus. */
function isWorking(panel: HTMLElement): boolean {
  const active = document.activeElement
  if (active === null || active === panel) return false
  return panel.contains(active) || active.closest('dialog[open], [role=dialog]') !== null
}

/** The title of the page is the heading of the panel: it says where one is in the tab, the history and to a screen reader. */
function usePageTitle(): void {
  useEffect(() => {
    const panel = document.getElementById('panel')
    if (!panel) return
    const update = (): void => {
      const heading = panel.querySelector('h1')?.textContent.trim()
      const title = heading ? frameTexts.pageTitle(heading) : frameTexts.product
      if (document.title !== title) document.title = title
    }
    const observer = new MutationObserver(update)
    observer.observe(panel, { childList: true, subtree: true, characterData: true })
    update()
    return () => observer.disconnect()
  }, [])
}

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
        {frameTexts.skipToPanel}
      </a>
      <Rail onOpenPalette={palette.open}>
        <AccountButton choice={choice} />
      </Rail>
      <ReachabilityContext value={reachability}>
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
      </ReachabilityContext>
    </div>
  )
}
