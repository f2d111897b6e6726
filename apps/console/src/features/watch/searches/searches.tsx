import { Link } from '@tanstack/react-router'
import { Telescope } from 'lucide-react'
import { useMemo } from 'react'
import type { SavedSearch } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { watchTexts } from '../../../texts/watch.ts'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { SavedSearchRow } from './saved-search-row.tsx'
import { StandingOrderRow } from './standing-order-row.tsx'
import { RowAreas } from '../row-areas.tsx'
import { toSearchAreas } from './search-areas.ts'
import { WatchScreen } from '../watch-screen.tsx'
import typography from '../../../ui/typography.module.css'

/** Saved searches and standing orders; both are at most as many as one page has. */
const page = { limit: 100 }

/** The saved searches that the platform repeats, and the standing orders for their new scenes. */
export function SavedSearches() {
  const searches = useOperation('catalog.search.list', page)
  const orders = useOperation('orders.standing.list', page)
  return (
    <WatchScreen actions={<CopyCall operation="catalog.search.list" input={page} />}>
      {searches.data && <WatchedAreas searches={searches.data.searches} />}
      <QueryView query={orders} title={watchTexts.standingOrders} rows={1}>
        {({ standing_orders }) => standing_orders.map((order) => <StandingOrderRow key={order.id} order={order} />)}
      </QueryView>
      <QueryView query={searches} title={watchTexts.searches} rows={2}>
        {({ searches: rows, total }) =>
          rows.length === 0 ? (
            <NoSearches />
          ) : (
            <>
              {rows.map((search) => (
                <div key={search.id} data-search={search.id}>
                  <SavedSearchRow search={search} />
                </div>
              ))}
              {total > rows.length && (
                <small className={typography['muted']}>{watchTexts.moreSearches(rows.length, total)}</small>
              )}
            </>
          )
        }
      </QueryView>
    </WatchScreen>
  )
}

const NoSearches = () => (
  <EmptyState icon={Telescope} title={watchTexts.noSearches}>
    <p>{watchTexts.noSearchesHelp}</p>
    <Link to="/explore" search={keepView}>
      {watchTexts.toExplore}
    </Link>
  </EmptyState>
)

/** The areas of the saved searches on the map; the one that is clicked brings its search into view. */
function WatchedAreas({ searches }: { searches: readonly SavedSearch[] }) {
  const areas = useMemo(() => toSearchAreas(searches), [searches])
  const listKey = searches.map(({ id }) => id).join()
  return <RowAreas layer="watched" listKey={listKey} areas={areas} rowSelector={(id) => `[data-search="${id}"]`} />
}
