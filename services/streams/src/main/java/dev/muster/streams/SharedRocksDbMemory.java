package dev.muster.streams;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * One limit for the memory of all stores on disk of the process: there is one per partition, and
 * each would take its own hundred MiB. Streams has no setting for it.
 */
public final class SharedRocksDbMemory implements RocksDBConfigSetter {
    private static final long ALL = 64L << 20;
    private static final long WRITES = 24L << 20;
    private static final long WRITES_OF_ONE = 4L << 20;

    static {
        // Our cache may be made before the first store, which would load it.
        RocksDB.loadLibrary();
    }

    /** Of the process, as are the stores: never closed. */
    private static final Cache CACHE = new LRUCache(ALL);

    private static final WriteBufferManager BUFFERS = new WriteBufferManager(WRITES, CACHE);

    @Override
    public void setConfig(String store, Options options, Map<String, Object> configs) {
        if (options.tableFormatConfig() instanceof BlockBasedTableConfig table) {
            table.setBlockCache(CACHE);
            table.setCacheIndexAndFilterBlocks(true);
            options.setTableFormatConfig(table);
        }
        options.setWriteBufferManager(BUFFERS);
        options.setWriteBufferSize(WRITES_OF_ONE);
    }

    @Override
    public void close(String store, Options options) {}
}
