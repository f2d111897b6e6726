import { useState } from 'react'
import type { SavedSearch } from '@swath/client/operations.ts'
import { useCommand } from '../../../api/use-operation.ts'
import { texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Time } from '../../../ui/figures.tsx'
import { Section } from '../../../ui/screen.tsx'
import { DeleteButton } from '../delete-button.tsx'
import { NewStandingOrder } from './new-standing-order.tsx'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

/** A saved search: its last match, the providers that do not answer, and its actions. */
export function SavedSearchRow({ search }: { search: SavedSearch }) {
  const { id, name, source_ids, sources, notify, last_matched_at, created_at } = search
  const [isOrdering, setOrdering] = useState(false)
  const remove = useCommand('catalog.search.delete', ['catalog.search.list', 'orders.standing.list'])
  const words = texts.watch
  return (
    <Section title={name}>
      <Facts
        facts={[
          [words.sources, source_ids === null ? words.allSources : source_ids.join(', ')],
          [words.notify, notify ? words.yes : words.no],
          [words.lastMatch, last_matched_at ? <Time key="match" at={last_matched_at} /> : words.never],
          [words.created, <Time key="created" at={created_at} />],
        ]}
      />
      {sources
        .filter(({ error }) => error !== null)
        .map(({ source_id, error }) => (
          <small key={source_id} className={typography['muted']}>
            {words.missing(source_id, error ?? '')}
          </small>
        ))}
      {isOrdering ? (
        <NewStandingOrder search={search} onDone={() => setOrdering(false)} />
      ) : (
        <div className={layout['wrap']}>
          {notify && (
            <Button aria-label={words.orderNamed(name)} onClick={() => setOrdering(true)}>
              {words.order}
            </Button>
          )}
          <DeleteButton
            name={name}
            title={words.removeSearch}
            text={words.removeSearchText}
            call={['catalog.search.delete', { search_id: id }]}
            command={remove}
          />
        </div>
      )}
    </Section>
  )
}
