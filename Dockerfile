# The image of the service. The first stage installs packages with npm. The last stage has no npm, no test package
# and no compiler.

# This Node only runs npm. The Node that runs the service is an npm package, with its hash in the lock file.
FROM node:24-trixie-slim AS packages
WORKDIR /opt/postern
COPY package.json package-lock.json ./
# Headers for building add-ons are not needed: 67 of 276 MB.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && rm -r node_modules/node-linux-*/include

# Builds the web pages, with development packages that the image omits.
FROM packages AS pages
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY src ./src
COPY client ./client
COPY web ./web
RUN npm run build

# Debian, because the runtime is linked with glibc. The base lacks only libatomic1.
FROM debian:trixie-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends libatomic1 libstdc++6 \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/*
WORKDIR /opt/postern
COPY --from=packages /opt/postern/node_modules ./node_modules
# Readable for every user, independent of the umask of the checkout.
COPY --chmod=755 package.json LICENSE ./
COPY --chmod=755 src ./src
COPY --chmod=755 client ./client
COPY --chmod=755 cli ./cli
COPY --chmod=755 bin ./bin
COPY --chmod=755 --from=pages /opt/postern/web/dist ./web/dist
# A numeric user, so that Kubernetes can check that it is not root. A new volume inherits owner and mode.
RUN install --directory --owner=65532 --group=65532 --mode=0700 data

ENV NODE_ENV=production
ENV PATH=/opt/postern/bin:/opt/postern/node_modules/.bin:/usr/local/bin:/usr/bin:/bin
# The AWS SDK needs a home directory, and a numeric user has none.
ENV HOME=/opt/postern
# The database is below data/ by default. Both are unused with PostgreSQL and object storage.
ENV APP_STORAGE_PATH=/opt/postern/data/uploads
USER 65532:65532
VOLUME /opt/postern/data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.SERVER_PORT || process.env.PORT || 8080}/actuator/health/readiness`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Like npm start, but signals reach the service directly.
CMD ["node", "--max-semi-space-size=8", "cli/start.js", "serve"]
