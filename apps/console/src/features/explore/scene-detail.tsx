import { CircleCheck, ShoppingCart } from 'lucide-react'
import { useState } from 'react'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import { geometryBounds } from '@swath/geo/bbox.ts'
import type { Area as ScoredArea } from '@swath/client/operations.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { useImage } from '../../api/use-image.ts'
import { useOperations } from '../../api/use-operation.ts'
import { sameScene, useCart } from '../../cart/cart.ts'
import { ImageLayer } from '../../map/image-layer.tsx'
import { useFitBounds } from '../../map/use-fit-bounds.ts'
import { exploreTexts } from '../../texts/explore.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CheckboxField, RangeField } from '../../ui/field.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Area, Credits, Time } from '../../ui/figures.tsx'
import { formatPercent } from '../../ui/format.ts'
import { Identifier } from '../../ui/identifier.tsx'
import { Section } from '../../ui/screen.tsx'
import { addSceneToCart } from './add-scene-to-cart.ts'
import type { PartInArea } from './cover.ts'
import { describePart, describeScore } from './describe-part.ts'
import { findFootprintCorners } from '@swath/geo/footprint-corners.ts'
import { describeLicence } from '../../payments/describe-licence.ts'
import { describeSensor } from './describe-scene.ts'
import {
  cloudOf,
  footprintOf,
  gsdOf,
  hostOf,
  licenceOf,
  offNadirOf,
  quicklookPath,
  sunElevationOf,
  timeOf,
  type Scene,
} from './scenes.ts'
import layout from '../../ui/layout.module.css'

export interface SceneDetailProps {
  readonly scene: Scene
  /** The part of the scene that is bought; null is the whole scene. */
  readonly area: AreaGeometry | null
  readonly part: PartInArea | null
  readonly isOwned: boolean
  readonly isSelected: boolean
  readonly onToggle: () => void
}

const asText = (value: unknown): string | null =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : null
const asDegrees = (value: unknown): string | null => (typeof value === 'number' ? exploreTexts.degrees(value) : null)

function Price({ price }: { price: Scene['service:price'] }) {
  if (price === null) return exploreTexts.notOffered
  const { credits, aud } = price
  return credits === 0 ? exploreTexts.free : <Credits credits={credits} {...(aud ? { aud } : {})} />
}

/** In words, with the page that has its text. */
function Licence({ scene, licence }: { scene: Scene; licence: string }) {
  const page = scene.links?.find(({ rel, href }) => rel === 'license' && /^https?:/.test(href))
  const name = describeLicence(licence)
  return page ? (
    <a href={page.href} target="_blank" rel="noreferrer">
      {name}
    </a>
  ) : (
    name
  )
}

/** The cloud of the scene in the area, from its pixels; null until it is measured, or if that fails. */
function useAreaScore(scene: Scene, area: AreaGeometry | null) {
  const request = area && { host_name: hostOf(scene), image_ids: [scene.id], geometry: area as unknown as ScoredArea }
  const [read] = useOperations('catalog.aoi_score', request ? [request] : [])
  return read?.data?.scores[0] ?? null
}

/** One scene: its picture here and on the map, and its properties. */
export function SceneDetail({ scene, area, part, isOwned, isSelected, onToggle }: SceneDetailProps) {
  const cart = useCart()
  const [isDraped, setDraped] = useState(true)
  const [opacity, setOpacity] = useState(1)
  const { url } = useImage(quicklookPath(scene))
  const footprint = footprintOf(scene)
  const corners = footprint && findFootprintCorners(footprint)
  const score = useAreaScore(scene, part && part.covered > 0 ? area : null)
  useFitBounds(footprint && geometryBounds(footprint))
  const { properties, 'service:price': price } = scene
  const [platform, licence] = [asText(properties['platform']), licenceOf(scene)]
  const names = exploreTexts.facts
  const isInCart = cart.some((line) => sameScene(line, { host_name: hostOf(scene), id: scene.id }))
  return (
    <>
      {url && <img className={layout['picture']} src={url} alt={scene.id} />}
      <Section title={exploreTexts.details}>
        <div className={layout['row']}>
          {isInCart ? (
            <Badge icon={ShoppingCart} tone="active">
              {exploreTexts.inCart}
            </Badge>
          ) : (
            <Button
              kind="primary"
              icon={ShoppingCart}
              disabled={price === null}
              onClick={() => addSceneToCart(scene, area)}
            >
              {exploreTexts.addToCart}
            </Button>
          )}
          <Button onClick={onToggle} aria-pressed={isSelected}>
            {isSelected ? exploreTexts.unselect : exploreTexts.select}
          </Button>
          {isOwned && (
            <Badge icon={CircleCheck} tone="good">
              {exploreTexts.owned}
            </Badge>
          )}
        </div>
        <CheckboxField label={exploreTexts.drape} checked={isDraped} onChange={setDraped} />
        {isDraped && (
          <RangeField
            label={exploreTexts.opacity}
            shown={formatPercent(opacity * 100)}
            value={opacity}
            min={0}
            max={1}
            step={0.05}
            onChange={setOpacity}
          />
        )}
        <Facts
          facts={[
            [names.id, <Identifier key="id" id={scene.id} />],
            [names.time, timeOf(scene) && <Time key="time" at={timeOf(scene)!} />],
            [names.price, <Price key="price" price={price} />],
            [names.rate, price?.rate_credits && <Credits key="rate" credits={price.rate_credits} />],
            [names.minimum, price?.minimum_km2 && <Area key="minimum" km2={price.minimum_km2} />],
            [names.area, footprint && <Area key="area" km2={geometryArea_km2(footprint)} />],
            [names.cloud, cloudOf(scene) !== null && formatPercent(cloudOf(scene)!)],
            [names.inArea, part && describePart(part)],
            [names.measuredCloud, score && describeScore(score)],
            [names.resolution, gsdOf(scene) !== null && exploreTexts.gsd(gsdOf(scene)!)],
            [names.platform, platform && describeSensor(platform)],
            [names.instruments, asText(properties['instruments'])],
            [names.offNadir, asDegrees(offNadirOf(scene))],
            [names.sun, asDegrees(sunElevationOf(scene))],
            [names.licence, licence && <Licence key="licence" scene={scene} licence={licence} />],
            [names.provider, hostOf(scene)],
            [names.collection, scene.collection ?? null],
          ]}
        />
      </Section>
      {isDraped && url && corners && (
        <ImageLayer id="quicklook" path={quicklookPath(scene)} corners={corners} opacity={opacity} />
      )}
    </>
  )
}
