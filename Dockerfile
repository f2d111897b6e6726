# The image of every process of an installation: `serve`, `worker`, and the commands of operators.
# Only Node, the sources and the packages that they import are in the last stage: no npm, no compiler, no bundler, no shell
# scripts of packages. Node runs the TypeScript sources as they are.

# Digests of the base images, such as `@sha256:…`: tags can be moved. deploy/build-image.sh fills them in and checks them.
ARG NODE_DIGEST=
ARG DEBIAN_DIGEST=

FROM node:24.21.0-bookworm-slim${NODE_DIGEST} AS console
WORKDIR /srv/swath
COPY . .
RUN npm ci --no-audit --no-fund && npm run build

FROM node:24.21.0-bookworm-slim${NODE_DIGEST} AS packages
WORKDIR /srv/swath
COPY package.json package-lock.json .npmrc ./
COPY packages ./packages
# No install script runs: what the server needs has its binaries in the packages.
RUN npm ci --no-audit --no-fund --ignore-scripts --omit=dev --workspace=packages/server --include-workspace-root=false

FROM debian:12.12-slim${DEBIAN_DIGEST}
COPY --from=packages /usr/local/bin/node /usr/local/bin/node
WORKDIR /srv/swath
COPY --from=packages /srv/swath/package.json ./package.json
COPY --from=packages /srv/swath/node_modules ./node_modules
COPY --from=packages /srv/swath/packages ./packages
COPY --from=console /srv/swath/apps/console/dist ./apps/console/dist
COPY --from=console /srv/swath/packages/server/dist ./packages/server/dist
COPY tools/db.ts tools/queue.ts tools/command.ts ./tools/
RUN groupadd --system --gid 10001 swath \
  && useradd --system --uid 10001 --gid swath --home-dir /var/lib/swath --create-home swath
USER 10001:10001
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 HOST=0.0.0.0 SWATH_DATA_DIR=/var/lib/swath
VOLUME /var/lib/swath
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "packages/server/src/main.ts"]
CMD ["serve"]
