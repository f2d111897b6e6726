import type { Area } from '@swath/client/operations.ts'
import { useMemo, useState } from 'react'
import { geometryBounds } from '@swath/geo/bbox.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { useOperation } from '../../api/use-operation.ts'
import { AreaLayer } from '../../map/area-layer.tsx'
import { fitGeometries } from '../../map/fit-geometries.ts'
import { FootprintLayer } from '../../map/footprint-layer.tsx'
import { useMap } from '../../map/map-context.tsx'
import { useFitBounds } from '../../map/use-fit-bounds.ts'
import { exploreTexts } from '../../texts/explore.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Screen } from '../../ui/screen.tsx'
import { computeCover } from './cover.ts'
import { FilterForm } from './filter-form.tsx'
import { toComparisonInput, toWholeInput, type ExploreFilters } from './filters.ts'
import styles from './explore.module.css'
import { PriceComparison } from './price-comparison.tsx'
import { ResultStates } from './result-states.tsx'
import { SaveSearch } from './save-search.tsx'
import { SceneDetail } from './scene-detail.tsx'
import { SceneList } from './scene-list.tsx'
import { footprintOf, hostOf, sceneKey, titleOf, toFootprints, type Scene } from './scenes.ts'
import { SelectedPictures } from './selected-pictures.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useExploreUrl } from './use-explore-url.ts'
import { max_scenes, useExploreSearch } from './use-explore-search.ts'
import { useResults } from './use-results.ts'
import { useSelection, type Selection } from './use-selection.ts'
import { useViewBounds } from './use-view-bounds.ts'
import layout from '../../ui/layout.module.css'

/** Search of all catalogues by place, time and quality, to look at scenes, compare and choose them. */
export function Explore() {
  const map = useMap()
  const { filters, isAreaMissing, openScene, change, open } = useExploreUrl()
  const { bounds, hasMoved, take, takeTarget } = useViewBounds()
  const search = useExploreSearch(filters, bounds)
  const results = useResults(search, filters)
  const { scenes, facts, measurePart } = results
  const [hovered, setHovered] = useState<string | null>(null)
  /** The scene that was pointed at or clicked on the map, which the list scrolls to. */
  const [revealed, setRevealed] = useState<string | null>(null)
  useFitBounds(useMemo(() => filters.area && geometryBounds(filters.area), [filters.area]))
  const footprints = useMemo(() => toFootprints(scenes), [scenes])
  const selection = useSelection(search.scenes, filters.area !== null)
  // On small screens the results come first.
  const [isWide] = useState(() => matchMedia('(width >= 720px)').matches)
  const detail = useScene(openScene, search.scenes, search.state === 'done' || search.state === 'failed')
  const hoverOnMap = (key: string | null): void => {
    setHovered(key)
    if (key) setRevealed(key)
  }
  const mapLayers = (
    <MapLayers
      {...{ filters, footprints, hovered, selection }}
      isDetail={detail !== undefined}
      onHover={hoverOnMap}
      onOpen={open}
    />
  )
  const footer = <SelectionFooter selection={selection} area={filters.area} />
  if (detail)
    return (
      <Screen
        title={titleOf(detail)}
        onBack={() => open(null)}
        actions={<CopySceneCall scene={detail} />}
        footer={footer}
      >
        <SceneDetail
          scene={detail}
          area={filters.area}
          part={measurePart(detail)}
          isOwned={facts.owned.has(sceneKey(detail))}
          isSelected={selection.keys.has(sceneKey(detail))}
          onToggle={() => selection.toggle(sceneKey(detail))}
        />
        {mapLayers}
      </Screen>
    )
  const saveSearch = bounds && search.state === 'done' && <SaveSearch filters={filters} bounds={bounds} />
  return (
    <Screen
      title={exploreTexts.title}
      actions={
        bounds && <CopyCall operation="catalog.search_stream" input={toWholeInput(filters, bounds, max_scenes)} />
      }
      toolbar={
        <FilterForm
          isWide={isWide}
          isAreaMissing={isAreaMissing}
          filters={filters}
          facts={facts}
          scenes={search.scenes}
          onChange={change}
          onGo={takeTarget}
        >
          {saveSearch}
        </FilterForm>
      }
      footer={footer}
    >
      <div className={`${layout['column']} ${styles['results']}`}>
        {hasMoved && !filters.area && (
          <Button kind="primary" onClick={take}>
            {exploreTexts.searchHere}
          </Button>
        )}
        <ResultStates
          search={search}
          results={results}
          filters={filters}
          onChange={change}
          onZoom={() => map && fitGeometries(map, footprints)}
        />
        {filters.area && (
          <PriceComparison input={toComparisonInput(filters)} area={filters.area as unknown as Area} onOpen={open} />
        )}
        <SceneList
          {...results}
          area={filters.area}
          hovered={hovered}
          revealed={revealed}
          selected={selection.numbered}
          onHover={setHovered}
          onToggle={selection.toggle}
          onOpen={open}
        />
      </div>
      {mapLayers}
    </Screen>
  )
}

interface MapLayersProps {
  readonly filters: ExploreFilters
  readonly footprints: GeoJSON.FeatureCollection
  readonly hovered: string | null
  readonly selection: Selection
  /** The details of a scene are shown, with its own picture. */
  readonly isDetail: boolean
  readonly onHover: (key: string | null) => void
  readonly onOpen: (key: string) => void
}

/** The area and the scenes on the map, with the pictures of those that are selected. */
const MapLayers = ({ filters, footprints, hovered, selection, isDetail, onHover, onOpen }: MapLayersProps) => (
  <>
    {!isDetail && (
      <SelectedPictures numbered={selection.numbered} hovered={hovered} onHover={onHover} onOpen={onOpen} />
    )}
    {filters.area && <AreaLayer id="area" geometry={asGeoJson(filters.area)} colour="--accent" isDashed />}
    <FootprintLayer
      id="scenes"
      footprints={footprints}
      hovered={hovered}
      selected={selection.keys}
      onHover={onHover}
      onSelect={selection.toggle}
    />
  </>
)

const asGeoJson = (area: AreaGeometry): GeoJSON.Geometry => area as unknown as GeoJSON.Geometry

const CopySceneCall = ({ scene }: { scene: Scene }) => (
  <CopyCall operation="catalog.search" input={{ host_name: hostOf(scene), ids: [scene.id] }} />
)

/** The selection in figures, and the part of the area that it covers on the map. */
function SelectionFooter({ selection, area }: { selection: Selection; area: AreaGeometry | null }) {
  const { scenes, clear } = selection
  const footprints = useMemo(() => scenes.map(footprintOf).filter((footprint) => footprint !== null), [scenes])
  const cover = useMemo(
    () => (area && footprints.length > 0 ? computeCover(area, footprints) : null),
    [area, footprints],
  )
  return (
    <>
      <SelectionBar scenes={scenes} area={area} cover={cover} footprints={footprints} onClear={clear} />
      {cover?.geometry && <AreaLayer id="cover" geometry={asGeoJson(cover.geometry)} colour="--good" />}
    </>
  )
}

/** A scene by its key: one of those that were found, or else read from its host, as a link may name any. */
function useScene(key: string | null, found: readonly Scene[], isComplete: boolean): Scene | undefined {
  const [, host_name = '', id = ''] = /^(\S+) (.+)$/.exec(key ?? '') ?? []
  const known = key === null ? undefined : found.find((scene) => sceneKey(scene) === key)
  const isRead = id !== '' && !known && isComplete
  const { data } = useOperation('catalog.search', { host_name, ids: [id] }, { enabled: isRead })
  return known ?? (isRead ? data?.features[0] : undefined)
}
