# The image of the service: Postern, Node, the libraries of Node, and nothing else. `npm run package -- image` makes the
# same image without a container engine, and reads here how it is run.

# This Node only runs npm: the one of the image comes from nodejs.org, with its published checksum. For a build that can be
# repeated, name the base by its digest: --build-arg BASE=node:24-trixie-slim@sha256:…
ARG BASE=node:24-trixie-slim
FROM ${BASE} AS build
RUN apt-get update \
 && apt-get install --yes --no-install-recommends libatomic1 libstdc++6
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json LICENSE README.md CHANGELOG.md ./
COPY bin ./bin
COPY src ./src
COPY client ./client
COPY cli ./cli
COPY web ./web
COPY docs/api.md ./docs/
COPY packaging ./packaging
RUN npm run build && node_modules/.bin/node packaging/image-root.ts /root-of-image

FROM scratch
COPY --from=build /root-of-image /
WORKDIR /opt/postern
ENV NODE_ENV=production
ENV PATH=/usr/bin
# Unused where the root is read-only.
ENV NODE_COMPILE_CACHE=/var/cache/postern
# The AWS SDK needs a home directory.
ENV HOME=/opt/postern
# The database is below data/ by default. Both are unused with PostgreSQL and object storage.
ENV APP_STORAGE_PATH=/opt/postern/data/uploads
USER 65532:65532
VOLUME /opt/postern/data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.SERVER_PORT || process.env.PORT || 8080}/actuator/health/readiness`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["postern", "serve"]
