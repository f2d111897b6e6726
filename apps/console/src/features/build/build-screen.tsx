import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { Screen, type ScreenProps } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'

const tabs = [
  { to: '/build', label: texts.build.keys },
  { to: '/build/tiles', label: texts.build.tiles.title },
  { to: '/build/api', label: texts.build.api },
  { to: '/build/webhooks', label: texts.webhooks.title },
  { to: '/build/events', label: texts.build.events },
  { to: '/build/audit', label: texts.audit.title },
] as const

export interface BuildScreenProps extends Pick<ScreenProps, 'actions' | 'onBack'> {
  readonly children: ReactNode
}

export function BuildScreen({ children, ...rest }: BuildScreenProps) {
  return (
    <Screen title={texts.build.title} {...rest} toolbar={<TabLinks label={texts.build.tabs} tabs={tabs} />}>
      {children}
    </Screen>
  )
}
