import { Link } from '@tanstack/react-router'
import { Eye, ImageOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { keepView } from '../../map/keep-view.ts'
import { viewerTexts } from '../../texts/viewer.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Screen } from '../../ui/screen.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CompareTab } from './compare/compare-tab.tsx'
import { lapseFrames } from './compare/time-lapse.ts'
import { useTurns } from './compare/use-turns.ts'
import { ItemBar } from './items/item-bar.tsx'
import { RecentItems } from './items/recent-items.tsx'
import { MeasureTab } from './measure/measure-tab.tsx'
import { PictureTab } from './picture/picture-tab.tsx'
import { usePicture } from './picture/use-picture.ts'
import { ExportTab } from './share/export-tab.tsx'
import { type ViewerTab, isPairMode, viewerTabs } from './state/viewer-state.ts'
import { type ViewItem, toViewItem } from './state/view-item.ts'
import type { TabProps } from './tab-props.ts'
import { type Viewer as ViewerHandle, useViewer } from './use-viewer.ts'
import { ViewerMap } from './viewer-map.tsx'
import { useOperations } from '../../api/use-operation.ts'

interface ViewItems {
  /** Those that have arrived, in the order of the URL. */
  readonly items: readonly ViewItem[]
  readonly isLoading: boolean
  /** Why items cannot be read, by id. */
  readonly failures: readonly { readonly id: string; readonly error: unknown }[]
  readonly retry: () => void
}

/** The items of the URL. */
function useViewItems(ids: readonly string[]): ViewItems {
  const reads = useOperations(
    'items.get_stac',
    ids.map((item_id) => ({ item_id })),
  )
  return {
    items: reads.flatMap(({ data }) => (data ? [toViewItem(data)] : [])),
    isLoading: reads.some(({ isPending }) => isPending),
    failures: reads.flatMap(({ error }, at) => (error ? [{ id: ids[at]!, error }] : [])),
    retry: () => {
      for (const read of reads) if (read.isError) void read.refetch()
    },
  }
}

const tabs: Readonly<Record<ViewerTab, (props: TabProps) => ReactNode>> = {
  picture: PictureTab,
  measure: MeasureTab,
  compare: CompareTab,
  share: ExportTab,
}

/** One or several items on the map: how they are drawn, what their pixels say, and how they leave the platform. */
export function Viewer() {
  const viewer = useViewer()
  const { items, isLoading, failures, retry } = useViewItems(viewer.state.items)
  const item = items.find(({ id }) => id === viewer.state.shown) ?? items[0] ?? null
  if (viewer.state.items.length === 0) return <NoItems />
  if (!item)
    return (
      <Screen title={viewerTexts.title} back={{ to: '/library', search: keepView }}>
        {isLoading && <Skeleton rows={6} />}
        {!isLoading && failures[0] && <ProblemNote error={failures[0].error} onRetry={retry} isRead />}
      </Screen>
    )
  return (
    <OpenItem viewer={viewer} items={items} item={item}>
      {failures.map(({ id, error }) => (
        <ProblemNote key={id} error={error} onRetry={retry} isRead />
      ))}
    </OpenItem>
  )
}

interface OpenItemProps {
  readonly viewer: ViewerHandle
  readonly items: readonly ViewItem[]
  readonly item: ViewItem
  readonly children: ReactNode
}

function OpenItem({ viewer, items, item, children }: OpenItemProps) {
  const { state, change } = viewer
  const read = usePicture(item, state.style)
  const otherItem = items.find(({ id }) => id === state.other) ?? item
  const isLapse = state.compare === 'lapse'
  const isComparing = isPairMode(state.compare)
  const frames = lapseFrames(items)
  const otherRead = usePicture(isComparing ? otherItem : null, state.otherStyle)
  const turns = useTurns(isLapse ? frames.length : 2, isLapse || state.compare === 'blink')
  const Tab = tabs[state.tab]
  const props = { viewer, items, item, read, otherItem, otherRead, frames, turns }
  return (
    <Screen
      title={item.name}
      back={{ to: '/library/items/$itemId', params: { itemId: item.id } as never }}
      toolbar={
        <>
          <ItemBar viewer={viewer} items={items} item={item} />
          <Segments
            label={viewerTexts.tabs}
            choices={viewerTabs.map((value) => ({ value, label: viewerTexts.tab[value] }))}
            value={state.tab}
            onChange={(tab) => change({ tab })}
          />
        </>
      }
    >
      {children}
      {state.tab !== 'picture' && read.error !== null && <ProblemNote error={read.error} onRetry={read.retry} isRead />}
      {state.tab !== 'compare' && isComparing && otherRead.error !== null && (
        <ProblemNote error={otherRead.error} onRetry={otherRead.retry} isRead />
      )}
      {item.assets.length === 0 ? (
        <EmptyState icon={ImageOff} title={viewerTexts.noPicture}>
          <p>{viewerTexts.noPictureHelp}</p>
        </EmptyState>
      ) : (
        <Tab key={item.id} {...props} />
      )}
      <ViewerMap {...props} />
    </Screen>
  )
}

function NoItems() {
  return (
    <Screen title={viewerTexts.title}>
      <EmptyState icon={Eye} title={viewerTexts.none}>
        <p>{viewerTexts.noneHelp}</p>
        <Link to="/library">{viewerTexts.toLibrary}</Link>
      </EmptyState>
      <RecentItems />
    </Screen>
  )
}
