import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import type { Client } from '@swath/client/client.ts'
import { Button } from '../ui/button.tsx'
import { Time } from '../ui/figures.tsx'
import { shareTexts as texts } from '../texts/share.ts'
import { useDocumentTitle } from './card.tsx'
import { FailureText } from './failure-text.tsx'
import { explainFailure } from './link-failure.ts'
import type { SharedContent, Visit } from './open-link.ts'
import { SharedItemCard } from './shared-item-card.tsx'
import styles from './share.module.css'
import type { FailureNote } from './use-shared-link.ts'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'

const SharedMap = lazy(async () => ({ default: (await import('./shared-map.tsx')).SharedMap }))

export interface SharedContentViewProps {
  readonly client: Client
  readonly visit: Visit
  readonly content: SharedContent
  readonly readMore: () => Promise<void>
}

/** The content of an open link: its items beside the map. */
export function SharedContentView({ client, visit, content, readMore }: SharedContentViewProps) {
  const { items, total, tiles } = content
  const [hovered, setHovered] = useState<string | null>(null)
  const [selected, setSelected] = useState<string | null>(null)
  const title = tiles?.name ?? items[0]?.name ?? texts.title
  useDocumentTitle(title)
  // The description under the title of the only item is not repeated below it.
  const isSingle = items.length === 1 && total === 1
  const description = tiles?.description ?? null
  const cards = useMemo(
    () =>
      items.map((item) => (
        <SharedItemCard
          key={item.id}
          client={client}
          visit={visit}
          item={isSingle && item.description === description ? { ...item, description: null } : item}
          isSelected={item.id === selected}
          isHovered={item.id === hovered}
          onHover={setHovered}
          onSelect={setSelected}
        />
      )),
    [items, client, visit, isSingle, description, selected, hovered],
  )
  return (
    <main className={styles['layout']}>
      <div className={styles['panel']}>
        <SharedHeader title={title} description={description} visit={visit} hasPicture={tiles !== null} />
        <ListHeading shown={items.length} total={total} />
        {items.length === 0 ? (
          <p className={`${layout['flat']} ${typography['muted']}`}>{texts.empty}</p>
        ) : (
          <ul>{cards}</ul>
        )}
        {content.next_offset !== null && <MoreItems readMore={readMore} />}
      </div>
      <section className={styles['map']} aria-label={texts.map}>
        <Suspense fallback={<MapPlaceholder>{texts.loading}</MapPlaceholder>}>
          <SharedMap
            client={client}
            content={content}
            hovered={hovered}
            selected={selected}
            onHover={setHovered}
            onSelect={setSelected}
          />
        </Suspense>
      </section>
    </main>
  )
}

interface SharedHeaderProps {
  readonly title: string
  readonly description: string | null
  readonly visit: Visit
  readonly hasPicture: boolean
}

/** The title of the shared content, when the link expires, and the limits of the visitor. */
const SharedHeader = ({ title, description, visit, hasPicture }: SharedHeaderProps) => (
  <header className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`}>
    <p className={`${layout['line']} ${typography['muted']} ${typography['strong']}`}>
      <img src="/favicon.svg" alt="" width={20} height={20} />
      {texts.product}
    </p>
    <h1>{title}</h1>
    {description && <p>{description}</p>}
    <p className={typography['note']}>
      {texts.expires} <Time at={visit.link_expires_at} />.
    </p>
    {visit.permission === 'view' && <p className={typography['note']}>{texts.viewOnly}</p>}
    {!hasPicture && <p className={typography['note']}>{texts.noPicture}</p>}
  </header>
)

const ListHeading = ({ shown, total }: { shown: number; total: number }) => (
  <h2 className={`${layout['split']} ${layout['flat']} ${styles['heading']}`}>
    {texts.itemList}
    <span className="figures">{shown < total ? texts.listed(shown, total) : texts.items(total)}</span>
  </h2>
)

const MapPlaceholder = ({ children }: { children: ReactNode }) => (
  <p className={`${layout['center']} ${styles['placeholder']}`} role="status">
    {children}
  </p>
)

function MoreItems({ readMore }: { readMore: () => Promise<void> }) {
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<FailureNote | null>(null)
  const read = async (): Promise<void> => {
    setPending(true)
    setFailure(null)
    try {
      await readMore()
    } catch (error) {
      const explained = explainFailure(error)
      setFailure('closed' in explained ? { text: explained.closed.text, traceId: null } : explained)
    }
    setPending(false)
  }
  return (
    <div className={`${layout['stack8']} ${layout['inset']}`}>
      {failure && <FailureText note={failure} />}
      <Button isPending={isPending} onClick={() => void read()}>
        {texts.more}
      </Button>
    </div>
  )
}
