import { Outlet, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { usePlatform } from '../api/platform.tsx'
import { useLiveUpdates } from '../api/live-updates.ts'
import { MapCanvas } from '../map/map-canvas.tsx'
import { MapProvider } from '../map/map-context.tsx'
import { registerPlatformTiles } from '../map/platform-tiles.ts'
import { UploadsProvider } from '../uploads/uploads-context.tsx'
import { formatView, parseView, type MapView } from '../map/map-view.ts'
import { texts } from '../texts.ts'
import { AccountMenu } from './account-menu.tsx'
import styles from './frame.module.css'
import { Panel } from './panel.tsx'
import { Rail } from './rail.tsx'
import { followSystem, isDark, readTheme, saveTheme, type Theme } from './theme.ts'

/** The rail, the panel of the current place, and the one map that stays. */
export function Frame() {
  const navigate = useNavigate()
  const { v } = useSearch({ strict: false }) as { v?: string }
  const [theme, setTheme] = useState<Theme>(readTheme)
  const [, redraw] = useState(0)
  useEffect(() => followSystem(() => redraw((count) => count + 1)), [])
  const { client } = usePlatform()
  useEffect(() => registerPlatformTiles(client), [client])
  useLiveUpdates()
  const chooseTheme = (chosen: Theme): void => {
    saveTheme(chosen)
    setTheme(chosen)
  }
  const showView = (view: MapView): void => {
    // Moving the map is not a step that "back" undoes.
    void navigate({ to: '.', search: (previous) => ({ ...previous, v: formatView(view) }), replace: true })
  }
  return (
    <div className={styles['frame']}>
      <a href="#panel" className={styles['skip']}>
        {texts.frame.skipToPanel}
      </a>
      <Rail>
        <AccountMenu theme={theme} onTheme={chooseTheme} />
      </Rail>
      <UploadsProvider>
        <MapProvider>
          <Panel>
            <Outlet />
          </Panel>
          <div className={styles['map']}>
            <MapCanvas view={parseView(v)} onMove={showView} theme={isDark(theme) ? 'dark' : 'light'} />
          </div>
        </MapProvider>
      </UploadsProvider>
    </div>
  )
}
